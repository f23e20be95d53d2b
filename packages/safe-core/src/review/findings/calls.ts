import { type Address, isAddress, isAddressEqual, isHex, size, slice, zeroAddress } from 'viem'
import type { Call } from '../../calldata.ts'
import { deploymentAt, isDelegatecallAllowed, isDelegatecallLibrary, lookupDeployment } from '../../deployments.ts'
import { knownFunction } from '../../functions.ts'
import type { Code, Finding, FindingId, ReviewInput, Severity } from '../types.ts'

const MAX_UINT160 = (1n << 160n) - 1n
const UNLIMITED = 1n << 255n

/** What a delegatecall would run. `unread`: a library by its address, but nobody has looked at the code. */
export type DelegatecallTarget = 'library' | 'unread' | 'unknown'

/** The code at an address, as far as it was read. */
export function codeAt(codes: ReviewInput['codes'], address: Address): Code | undefined {
  return codes[address.toLowerCase()]
}

/** Decides whether a delegatecall runs a known library: by address, by code, and by function. */
export function delegatecallTarget(call: Call, codes: ReviewInput['codes']): DelegatecallTarget {
  const deployment = deploymentAt(call.to)
  if (deployment === null || size(call.data) < 4) return 'unknown'
  if (!isDelegatecallAllowed(deployment.kind, slice(call.data, 0, 4))) return 'unknown'
  const code = codeAt(codes, call.to)
  if (code === undefined) return 'unread'
  return lookupDeployment(call.to, code.codeHash) === null ? 'unknown' : 'library'
}

/** An argument of a decoded call, by name; null when the call has none of that name. */
export function argument(call: Call, name: string): string | null {
  return call.args.find((one) => one.name === name)?.value ?? null
}

/** An address argument of a decoded call. */
export function addressArgument(call: Call, ...names: string[]): Address | null {
  for (const name of names) {
    const value = argument(call, name)
    if (value !== null && isAddress(value)) return value
  }
  return null
}

/** A finding about one call of the tree; the evidence says which. */
export function callFinding(
  call: Call,
  id: FindingId,
  severity: Severity,
  evidence: Record<string, string | null> = {},
): Finding {
  const values = Object.entries({ to: call.to, call: call.path.join('.'), ...evidence })
  return {
    id,
    severity,
    evidence: Object.fromEntries(values.filter((one): one is [string, string] => one[1] !== null)),
  }
}

/** What a signer must know about one call, apart from settings of the Safe. */
export function reviewCall(call: Call, input: ReviewInput): Finding[] {
  return [
    ...reviewEncoding(call),
    ...(call.operation === 0 ? reviewPlainCall(call, input) : reviewDelegatecall(call, input)),
  ]
}

function reviewEncoding(call: Call): Finding[] {
  const findings: Finding[] = []
  if (call.problem === 'BUDGET') findings.push(callFinding(call, 'DECODE-BUDGET', 'critical', { bytes: bytesOf(call) }))
  if (call.problem === 'MULTISEND_MALFORMED') {
    findings.push(callFinding(call, 'MULTISEND-MALFORMED', 'critical', { bytes: bytesOf(call) }))
  }
  if (call.problem === 'NONCANONICAL') {
    findings.push(
      callFinding(call, 'DECODE-NONCANONICAL', 'high', { function: call.name, bytes: String(call.undecodedBytes) }),
    )
  }
  if (call.isZeroTarget) findings.push(callFinding(call, 'MULTISEND-ZERO-TO', 'high', { means: call.to }))
  return findings
}

function bytesOf(call: Call): string {
  return String(size(call.data))
}

function reviewDelegatecall(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const code = codeAt(input.codes, call.to)
  const deployment = deploymentAt(call.to)
  const target = delegatecallTarget(call, input.codes)
  const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
  const evidence = { codeHash: code?.codeHash ?? null, selector }

  if (target === 'library' && deployment !== null) {
    const library = { name: deployment.name, version: deployment.version }
    findings.push(callFinding(call, 'DC-KNOWN-LIB', 'low', library))
    if (deployment.kind === 'multi-send') findings.push(callFinding(call, 'DC-MULTISEND-FULL', 'medium', library))
  }
  if (target === 'unknown') {
    const isRealLibrary =
      deployment !== null &&
      isDelegatecallLibrary(deployment.kind) &&
      code !== undefined &&
      lookupDeployment(call.to, code.codeHash) !== null
    const id = isRealLibrary ? 'DC-WRONG-SELECTOR' : 'DC-UNKNOWN'
    findings.push(callFinding(call, id, 'critical', evidence))
    if (call.path.length > 0) findings.push(callFinding(call, 'MULTISEND-INNER-DC', 'critical', evidence))
  }
  if (code?.size === 0) findings.push(callFinding(call, 'DC-NO-CODE', 'high'))
  if (call.value > 0n) findings.push(callFinding(call, 'DC-VALUE-IGNORED', 'medium', { value: String(call.value) }))

  const called = knownFunction(call.data)
  switch (called?.family) {
    case 'erc20-transfer':
    case 'erc20-approve':
    case 'erc721-transfer':
    case 'erc1155-transfer':
    case 'approve-all':
      findings.push(callFinding(call, 'SELECTOR-MASQUERADE', 'high', { function: called.signature }))
      break
    case 'sign-message':
      findings.push(...reviewSignedMessage(call, input))
      break
    default:
      if (call.kind !== 'multi-send' && call.name === null && size(call.data) > 0) {
        findings.push(callFinding(call, 'DECODE-NONE', 'high', { selector, bytes: bytesOf(call) }))
      }
  }
  return findings
}

/** A message signed on the chain holds for ever, and may be the approval of another transaction. */
function reviewSignedMessage(call: Call, input: ReviewInput): Finding[] {
  const message = argument(call, 'data')
  if (message === null || !isHex(message)) return []
  const findings = [callFinding(call, 'MSG-PERMANENT', 'high', { message })]
  const isTransaction =
    (size(message) === 66 && message.toLowerCase().startsWith('0x1901')) ||
    input.others.some(({ safeTxHash }) => safeTxHash.toLowerCase() === message.toLowerCase()) ||
    input.claimedSafeTxHash?.toLowerCase() === message.toLowerCase()
  if (isTransaction) findings.push(callFinding(call, 'MSG-IS-TX', 'critical', { message }))
  else if (size(message) === 32) findings.push(callFinding(call, 'MSG-RAW-HASH', 'high', { message }))
  return findings
}

function reviewPlainCall(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const hasData = size(call.data) > 0
  if (hasData && call.name === null && call.problem === null) {
    const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
    const severity = call.value > 0n ? 'high' : 'medium'
    findings.push(callFinding(call, 'DECODE-NONE', severity, { selector, bytes: bytesOf(call) }))
  }
  if (hasData && call.value > 0n)
    findings.push(callFinding(call, 'VALUE-HIDDEN', 'medium', { value: String(call.value) }))
  if (hasData && codeAt(input.codes, call.to)?.size === 0) findings.push(callFinding(call, 'CALL-NO-CODE', 'medium'))

  switch (knownFunction(call.data)?.family) {
    case 'erc20-transfer':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      findings.push(...reviewTransfer(call, input))
      break
    case 'erc20-approve':
      findings.push(...reviewApproval(call, input))
      break
    case 'approve-all':
      if (argument(call, 'approved') === 'true') {
        findings.push(callFinding(call, 'APPROVE-ALL-NFT', 'high', { operator: argument(call, 'operator') }))
      }
      break
    case 'ownership':
      findings.push(reviewOwnership(call, input))
      break
    case 'renounce':
      findings.push(callFinding(call, 'RENOUNCE', 'critical', { function: call.name }))
      break
    case 'upgrade':
      findings.push(reviewUpgrade(call, input))
      break
    case 'role':
      findings.push(
        callFinding(call, 'ROLE-CHANGE', 'high', {
          function: call.name,
          role: argument(call, 'role'),
          account: argument(call, 'account'),
        }),
      )
      break
    case 'nested-safe':
      findings.push(
        call.name === 'approveHash(bytes32)'
          ? callFinding(call, 'NESTED-APPROVE', 'critical', { hash: argument(call, 'hashToApprove') })
          : callFinding(call, 'EXEC-AS-MODULE', 'high', { function: call.name }),
      )
      break
    default:
  }
  // Running another Safe's transaction needs that Safe's signatures; only the module functions do without.
  return findings.filter(({ id }) => id !== 'EXEC-AS-MODULE' || call.name?.startsWith('execTransactionFromModule'))
}

function isListed(call: Call, input: ReviewInput): boolean {
  return input.tokens.some((token) => isAddressEqual(token.address, call.to))
}

function reviewTransfer(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const recipient = addressArgument(call, 'to')
  if (recipient !== null && (isAddressEqual(recipient, call.to) || isAddressEqual(recipient, zeroAddress))) {
    findings.push(callFinding(call, 'TOKEN-TO-ITSELF', 'high', { recipient }))
  }
  if (!isListed(call, input)) findings.push(callFinding(call, 'TOKEN-UNLISTED', 'medium', { token: call.to }))
  if (call.name === 'transferFrom(address,address,uint256)' && !isListed(call, input)) {
    findings.push(callFinding(call, 'SELECTOR-AMBIGUOUS', 'medium', { function: call.name }))
  }
  return findings
}

function reviewApproval(call: Call, input: ReviewInput): Finding[] {
  const spender = addressArgument(call, 'spender')
  const amount = BigInt(argument(call, 'amount') ?? 0)
  if (call.name?.startsWith('decreaseAllowance') || amount === 0n) return []
  const findings: Finding[] = []
  const isPermit2 = argument(call, 'token') !== null
  if (amount >= UNLIMITED || (isPermit2 && amount >= MAX_UINT160)) {
    findings.push(callFinding(call, 'APPROVE-UNLIMITED', 'high', { spender, amount: String(amount) }))
  }
  if (spender !== null && codeAt(input.codes, spender)?.size === 0) {
    findings.push(callFinding(call, 'APPROVE-EOA', 'high', { spender }))
  }
  if (!isPermit2 && !isListed(call, input)) {
    findings.push(callFinding(call, 'TOKEN-UNLISTED', 'medium', { token: call.to }))
  }
  return findings
}

function reviewOwnership(call: Call, input: ReviewInput): Finding {
  const newOwner = addressArgument(call, 'newOwner', 'newAdmin', 'owner', 'authority')
  const friends = [input.safeAddress, ...(input.state?.owners ?? [])]
  const isKnown = newOwner !== null && friends.some((friend) => isAddressEqual(friend, newOwner))
  return callFinding(call, 'OWNERSHIP-TRANSFER', isKnown ? 'high' : 'critical', { function: call.name, newOwner })
}

function reviewUpgrade(call: Call, input: ReviewInput): Finding {
  const implementation = addressArgument(call, 'newImplementation', 'implementation', 'pool')
  const code = implementation === null ? undefined : codeAt(input.codes, implementation)
  const isOfficial =
    implementation !== null && code !== undefined && lookupDeployment(implementation, code.codeHash) !== null
  return callFinding(call, 'PROXY-UPGRADE', isOfficial ? 'high' : 'critical', {
    function: call.name,
    proxy: addressArgument(call, 'proxy') ?? call.to,
    implementation,
    codeHash: code?.codeHash ?? null,
  })
}
