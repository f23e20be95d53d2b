import {
  deploymentAt,
  isDelegatecallAllowed,
  isDelegatecallLibrary,
  isSameAddress,
  lookupDeployment,
} from '@countersign/safe'
import { type Call, knownFunction } from '@countersign/safe/calls'
import { size } from 'viem'
import type { ReviewInput } from '../../input.ts'
import { type Cover, coverOf, selectorOf } from '../../policy/policy-cover.ts'
import type { Finding } from '../../types.ts'
import { callFinding, codeAt } from '../make-finding.ts'
import { reviewSignedMessage } from '../messages/messages.ts'
import { reviewCreation } from './creation.ts'

/**
 * Code that a delegatecall would run. `unread`: a library by its address, but its code is not read yet. `allowed`:
 * the team has allowed exactly this code and function.
 */
export type DelegatecallTarget = 'library' | 'unread' | 'allowed' | 'unknown'

type Facts = Pick<ReviewInput, 'safeAddress' | 'codes' | 'implementations' | 'policy'>

/** Decides whether a delegatecall runs a known library: by address, by code, and by function. */
export function delegatecallTarget(call: Call, facts: Facts): DelegatecallTarget {
  const selector = selectorOf(call.data)
  const deployment = deploymentAt(call.to)
  const code = codeAt(facts.codes, call.to)
  if (deployment !== null && selector !== null && isDelegatecallAllowed(deployment.kind, selector)) {
    if (code === undefined) return 'unread'
    if (lookupDeployment(call.to, code.codeHash) !== null) return 'library'
  }
  const cover = coverOfDelegatecall(call, facts)
  if (cover === 'unread') return 'unread'
  return cover === 'none' ? 'unknown' : 'allowed'
}

/** The policy's entry for this very code and function, run as the Safe itself. */
function coverOfDelegatecall(call: Call, { safeAddress, policy, ...codes }: Facts): Cover {
  if (policy?.status !== 'in-force' || !policy.lowersCritical || !isSameAddress(call.from, safeAddress)) return 'none'
  const target = { kind: 'delegatecall' as const, address: call.to, selector: selectorOf(call.data) }
  return coverOf(policy.allowed, target, codes)
}

/** Code that runs as the Safe. */
export function reviewDelegatecall(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const code = codeAt(input.codes, call.to)
  const deployment = deploymentAt(call.to)
  const target = delegatecallTarget(call, input)
  const selector = selectorOf(call.data)
  const evidence = { codeHash: code?.codeHash, selector }

  if (target === 'library' && deployment !== null) {
    const library = { name: deployment.name, version: deployment.version }
    findings.push(callFinding(call, 'DC-KNOWN-LIB', 'low', library))
    if (deployment.kind === 'multi-send') findings.push(callFinding(call, 'DC-MULTISEND-FULL', 'medium', library))
  }
  if (target === 'unknown' || target === 'allowed') {
    const isRealLibrary =
      deployment !== null &&
      isDelegatecallLibrary(deployment.kind) &&
      code !== undefined &&
      lookupDeployment(call.to, code.codeHash) !== null
    // The policy lowers them where an entry of it fits.
    findings.push(callFinding(call, isRealLibrary ? 'DC-WRONG-SELECTOR' : 'DC-UNKNOWN', 'critical', evidence))
    if (call.path.length > 0 && target === 'unknown')
      findings.push(callFinding(call, 'MULTISEND-INNER-DC', 'critical', evidence))
  }
  if (code?.size === 0) findings.push(callFinding(call, 'DC-NO-CODE', 'high', {}))
  if (call.value > 0n)
    findings.push(callFinding(call, 'DC-VALUE-IGNORED', 'medium', { value: { value: call.value, asset: 'native' } }))
  return [...findings, ...reviewSeeming(call, input)]
}

/** Lists findings about the apparent meaning of the call data, which unknown code need not follow. */
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
        ? [
            callFinding(call, 'DECODE-NONE', 'high', {
              selector: selectorOf(call.data),
              bytes: size(call.data),
            }),
          ]
        : []
    default:
      return []
  }
}
