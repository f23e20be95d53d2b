import { type Address, getAddress, isAddress, isAddressEqual, size, zeroAddress } from 'viem'
import { type Call, describeCall, flattenCalls } from '../calldata.ts'
import { describeEffects } from './effects.ts'
import { codeAt, delegatecallTarget, reviewCall } from './findings/calls.ts'
import { reviewConfiguration } from './findings/configuration.ts'
import {
  computeHashes,
  reviewAddresses,
  reviewHash,
  reviewNonce,
  reviewOrigin,
  reviewRefund,
  reviewSingletonCode,
} from './findings/fields.ts'
import { reviewSignatures } from './findings/signatures.ts'
import {
  type Check,
  type CheckId,
  checkIds,
  type Finding,
  type FindingId,
  type Review,
  type ReviewedConfirmation,
  type ReviewInput,
  type Verdict,
} from './types.ts'

const severityOrder = ['critical', 'high', 'medium', 'low', 'info']

/** Which check a finding fails. Findings that are not here are worth knowing, but nothing has failed. */
const failedBy: Partial<Record<FindingId, CheckId>> = {
  'HASH-MISMATCH': 'hash',
  'PROPOSAL-EDITED': 'hash',
  'HASH-CHAIN-MISMATCH': 'chain-hash',
  'SINGLETON-UNKNOWN': 'singleton',
  'SINGLETON-CODEHASH': 'singleton',
  'VERSION-LIES': 'singleton',
  'SIG-MISMATCH': 'signatures',
  'SIG-OTHER-TX': 'signatures',
  'OP-INVALID': 'encoding',
  'DECODE-NONCANONICAL': 'encoding',
  'DECODE-BUDGET': 'encoding',
  'MULTISEND-MALFORMED': 'encoding',
  'DC-UNKNOWN': 'delegatecall',
  'DC-WRONG-SELECTOR': 'delegatecall',
  'DC-NO-CODE': 'delegatecall',
  'MULTISEND-INNER-DC': 'delegatecall',
  'DECODE-NONE': 'functions',
  'SELECTOR-MASQUERADE': 'functions',
  'NONCE-PAST': 'nonce',
  'CALL-NO-CODE': 'code',
  'ADDR-LOOKALIKE': 'addresses',
}

/** Findings that fail a check only at their worst. */
const failedByCritical: Partial<Record<FindingId, CheckId>> = {
  'SLOT0-CHANGE': 'settings',
  'THRESHOLD-DOWN': 'settings',
  'OWNER-QUORUM-UNKNOWN': 'settings',
  'MODULE-ENABLE': 'settings',
  'GUARD-SET': 'settings',
  'HANDLER-UNKNOWN': 'settings',
  'DOMAIN-VERIFIER': 'settings',
  'GAS-REFUND': 'refund',
}

function describeTransaction({
  safeAddress,
  safeTx,
  abis,
}: Pick<ReviewInput, 'safeAddress' | 'safeTx' | 'abis'>): Call {
  const { to, value, data, operation } = safeTx
  return describeCall({ to, value, data, operation, safeAddress, abis: abis ?? [] })
}

/**
 * The addresses whose code a review wants to compare: what is called with data, what is run by delegatecall, and who is
 * given rights. Read them all at the block of the Safe's state.
 */
export function codeTargets(input: Pick<ReviewInput, 'safeAddress' | 'safeTx' | 'abis'>): Address[] {
  const found = new Map<string, Address>()
  for (const { to, operation, data, args, kind } of flattenCalls(describeTransaction(input))) {
    const isTransfer = kind === 'erc20-transfer' || kind === 'erc721-transfer' || kind === 'erc1155-transfer'
    const given = isTransfer ? [] : args.filter(({ type }) => type === 'address').map(({ value }) => value)
    const called = operation !== 0 || size(data) > 0 ? [to] : []
    for (const address of [...called, ...given]) {
      if (isAddress(address) && BigInt(address) > 1n) found.set(address.toLowerCase(), getAddress(address))
    }
  }
  return [...found.values()]
}

/**
 * Reviews a transaction from the bytes that will be signed. Nothing is fetched: what is missing in the input is reported
 * as not checked, and the verdict is then `cannot-verify` at best.
 *
 * @example
 * const review = await reviewSafeTx({ chainId, safeAddress, safeTx, claimedSafeTxHash, state, codes, … })
 * if (review.verdict === 'do-not-sign') show(review.findings)
 */
export async function reviewSafeTx(input: ReviewInput): Promise<Review> {
  const hashes = computeHashes(input)
  const call = describeTransaction(input)
  const calls = flattenCalls(call)
  const { confirmations, findings: signatureFindings } = await reviewSignatures(hashes.safeTxHash, input)
  const configuration = reviewConfiguration(call, input)
  const findings: Finding[] = [
    ...reviewHash(hashes, input),
    ...signatureFindings,
    ...reviewSingletonCode(input),
    ...calls.flatMap((one) => reviewCall(one, input)),
    ...configuration.findings,
    ...reviewRefund(input),
    ...reviewNonce(hashes, input),
    ...reviewAddresses(call, input),
    ...reviewOrigin(input),
  ].toSorted((one, other) => severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity))
  const checks = listChecks(input, calls, confirmations, findings)
  const passed = (id: CheckId) => checks.some((check) => check.id === id && check.status === 'passed')
  const { before, after, changed } = configuration
  // Beside code that nobody knows, or bytes that nobody read, "no change" would be a guess.
  const isCertain = before !== null && after !== null && passed('delegatecall') && passed('encoding')
  return {
    verdict: decide(checks, findings),
    hashes,
    call,
    effects: describeEffects(call, input),
    configuration: isCertain ? { before, after, changed } : null,
    checks,
    findings,
    confirmations,
  }
}

/** Checks that could not be made, because something they need is missing. */
function missingChecks(input: ReviewInput, calls: readonly Call[], confirmations: readonly ReviewedConfirmation[]) {
  const missing = new Set<CheckId>(['simulation', 'token-lists', 'contract-age'])
  const { state } = input
  if (state === null)
    for (const id of ['hash', 'state', 'singleton', 'signatures', 'settings', 'nonce'] as const) missing.add(id)
  if (state !== null && state.version !== null && state.reportedVersion === null) missing.add('singleton')
  if (confirmations.some(({ status }) => status === 'not-checked')) missing.add('signatures')
  if (calls.some((one) => one.operation !== 0 && delegatecallTarget(one, input.codes) === 'unread'))
    missing.add('delegatecall')
  if (codeTargets(input).some((address) => codeAt(input.codes, address) === undefined)) missing.add('code')
  if (input.chainSafeTxHash === null || input.chainSafeTxHash === undefined) missing.add('chain-hash')
  if (input.sources === 'server-only') missing.add('second-source')
  return missing
}

function listChecks(
  input: ReviewInput,
  calls: readonly Call[],
  confirmations: readonly ReviewedConfirmation[],
  findings: readonly Finding[],
): Check[] {
  const failed = new Set<CheckId>()
  for (const { id, severity } of findings) {
    const check = failedBy[id] ?? (severity === 'critical' ? failedByCritical[id] : undefined)
    if (check !== undefined) failed.add(check)
  }
  if (input.state !== null && !isStateOf(input)) failed.add('state')
  const missing = missingChecks(input, calls, confirmations)
  return (Object.keys(checkIds) as CheckId[]).map((id) => ({
    id,
    status: failed.has(id) ? 'failed' : missing.has(id) ? 'not-checked' : 'passed',
  }))
}

/** The state must be that of this Safe on this chain, or everything compared with it means nothing. */
function isStateOf({ state, chainId, safeAddress }: ReviewInput): boolean {
  return (
    state !== null &&
    state.chainId === chainId &&
    isAddressEqual(state.address, safeAddress) &&
    state.singleton !== zeroAddress
  )
}

function decide(checks: readonly Check[], findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'critical')) return 'do-not-sign'
  const isComplete = checks.every(
    ({ id, status }) => status === 'passed' || (status === 'not-checked' && checkIds[id] !== 'essential'),
  )
  return isComplete ? 'matches' : 'cannot-verify'
}
