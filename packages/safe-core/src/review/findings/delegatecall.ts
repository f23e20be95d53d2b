import { type Hex, size, slice } from 'viem'
import type { Call } from '../../calldata.ts'
import { deploymentAt, isDelegatecallAllowed, isDelegatecallLibrary, lookupDeployment } from '../../deployments.ts'
import { knownFunction } from '../../functions.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { AllowedDelegatecall, Code, Finding } from '../types.ts'
import { reviewCreation } from './creation.ts'
import { callFinding, codeAt } from './evidence.ts'
import { reviewSignedMessage } from './messages.ts'

/**
 * What a delegatecall would run. `unread`: a library by its address, but nobody has looked at the code. `allowed`: the
 * team has allowed exactly this code and function.
 */
export type DelegatecallTarget = 'library' | 'unread' | 'allowed' | 'unknown'

type Facts = Pick<ReviewInput, 'codes' | 'allowed'>

function selectorOf(call: Call): Hex | null {
  return size(call.data) < 4 ? null : slice(call.data, 0, 4)
}

/** Decides whether a delegatecall runs a known library: by address, by code, and by function. */
export function delegatecallTarget(call: Call, facts: Facts): DelegatecallTarget {
  const selector = selectorOf(call)
  const deployment = deploymentAt(call.to)
  const code = codeAt(facts.codes, call.to)
  if (deployment !== null && selector !== null && isDelegatecallAllowed(deployment.kind, selector)) {
    if (code === undefined) return 'unread'
    if (lookupDeployment(call.to, code.codeHash) !== null) return 'library'
  }
  const entries = allowEntries(call, facts)
  if (entries.length === 0) return 'unknown'
  if (code === undefined) return 'unread'
  return entryOf(entries, code) === undefined ? 'unknown' : 'allowed'
}

/** The entries of the team's list for this address and function; whether the code is the allowed one is another matter. */
function allowEntries(call: Call, { allowed = [] }: Facts): AllowedDelegatecall[] {
  const selector = selectorOf(call)?.toLowerCase()
  return allowed.filter((entry) => isSameAddress(entry.address, call.to) && entry.selector.toLowerCase() === selector)
}

function entryOf(entries: readonly AllowedDelegatecall[], code: Code | undefined): AllowedDelegatecall | undefined {
  return entries.find(({ codeHash }) => codeHash.toLowerCase() === code?.codeHash.toLowerCase())
}

/** Code that runs as the Safe. */
export function reviewDelegatecall(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const code = codeAt(input.codes, call.to)
  const deployment = deploymentAt(call.to)
  const target = delegatecallTarget(call, input)
  const selector = selectorOf(call)
  const evidence = { codeHash: code?.codeHash, selector }

  if (target === 'library' && deployment !== null) {
    const library = { name: deployment.name, version: deployment.version }
    findings.push(callFinding(call, 'DC-KNOWN-LIB', 'low', library))
    if (deployment.kind === 'multi-send') findings.push(callFinding(call, 'DC-MULTISEND-FULL', 'medium', library))
  }
  if (target === 'unknown' || target === 'allowed') {
    const isAllowed = target === 'allowed'
    const isRealLibrary =
      deployment !== null &&
      isDelegatecallLibrary(deployment.kind) &&
      code !== undefined &&
      lookupDeployment(call.to, code.codeHash) !== null
    findings.push(
      callFinding(call, isRealLibrary ? 'DC-WRONG-SELECTOR' : 'DC-UNKNOWN', isAllowed ? 'medium' : 'critical', {
        ...evidence,
        allowed: isAllowed ? (entryOf(allowEntries(call, input), code)?.name ?? '') : null,
      }),
    )
    if (call.path.length > 0 && !isAllowed) findings.push(callFinding(call, 'MULTISEND-INNER-DC', 'critical', evidence))
  }
  if (code?.size === 0) findings.push(callFinding(call, 'DC-NO-CODE', 'high'))
  if (call.value > 0n) findings.push(callFinding(call, 'DC-VALUE-IGNORED', 'medium', { value: String(call.value) }))
  return [...findings, ...reviewSeeming(call, input)]
}

/** What the call data says, which unknown code need not follow. */
function reviewSeeming(call: Call, input: ReviewInput): Finding[] {
  const called = knownFunction(call.data)
  switch (called?.family) {
    case 'erc20-transfer':
    case 'erc20-approve':
    case 'erc721-transfer':
    case 'erc1155-transfer':
    case 'approve-all':
      return [callFinding(call, 'SELECTOR-MASQUERADE', 'high', { function: called.signature })]
    case 'sign-message':
      return reviewSignedMessage(call, input)
    case 'create-call':
      return [reviewCreation(call)]
    case undefined:
      // Code and function that the team has allowed need no name.
      return size(call.data) > 0 && delegatecallTarget(call, input) !== 'allowed' && call.source === null
        ? [callFinding(call, 'DECODE-NONE', 'high', { selector: selectorOf(call), bytes: String(size(call.data)) })]
        : []
    default:
      return []
  }
}
