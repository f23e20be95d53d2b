import { type Address, isAddress, isAddressEqual, zeroAddress } from 'viem'
import { type Call, flattenCalls } from '../../calldata.ts'
import { deploymentAt } from '../../deployments.ts'
import { domainVersion } from '../../safe-state.ts'
import { hashSafeTx, type SafeTxHashes } from '../../safe-tx.ts'
import type { Finding, ReviewInput } from '../types.ts'

const HIGH_BASE_GAS = 1_000_000n
const MAX_ORIGIN_LENGTH = 256

/** The hashes by the rules of the Safe's version; without its state, by those rules that give the claimed hash. */
export function computeHashes(input: ReviewInput): SafeTxHashes {
  const { chainId, safeAddress, safeTx, state, claimedSafeTxHash } = input
  const versions = state === null ? ['1.3.0', '1.2.0', '0.1.0'] : [domainVersion(state)]
  const candidates = versions.map((version) => hashSafeTx({ chainId, safeAddress, version, safeTx }))
  const [first] = candidates
  const claimed = candidates.find(({ safeTxHash }) => safeTxHash === claimedSafeTxHash?.toLowerCase())
  return claimed ?? first ?? hashSafeTx({ chainId, safeAddress, version: '1.3.0', safeTx })
}

/** Compares the computed hash with what everybody else says it is. */
export function reviewHash({ safeTxHash }: SafeTxHashes, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const differs = (other: string | null | undefined): other is string =>
    typeof other === 'string' && other.toLowerCase() !== safeTxHash
  if (differs(input.claimedSafeTxHash)) {
    const evidence = { computed: safeTxHash, claimed: input.claimedSafeTxHash }
    findings.push({ id: 'HASH-MISMATCH', severity: 'critical', evidence })
  }
  if (differs(input.chainSafeTxHash)) {
    const evidence = { computed: safeTxHash, chain: input.chainSafeTxHash }
    findings.push({ id: 'HASH-CHAIN-MISMATCH', severity: 'critical', evidence })
  }
  if (differs(input.reviewedBefore)) {
    const evidence = { computed: safeTxHash, before: input.reviewedBefore }
    findings.push({ id: 'PROPOSAL-EDITED', severity: 'critical', evidence })
  }
  // The type says 0 or 1; what came over the wire may say otherwise.
  const operation: number = input.safeTx.operation
  if (operation !== 0 && operation !== 1) {
    findings.push({ id: 'OP-INVALID', severity: 'critical', evidence: { operation: String(operation) } })
  }
  return findings
}

/** Whether the Safe runs official code, and says so. */
export function reviewSingletonCode(input: ReviewInput): Finding[] {
  const { state } = input
  if (state === null) return []
  const { singleton, singletonCodeHash: codeHash, version, reportedVersion } = state
  const findings: Finding[] = []
  const deployment = deploymentAt(singleton)
  if (version === null) {
    const isKnownAddress = deployment !== null && deployment.codeHash !== codeHash
    findings.push({
      id: isKnownAddress ? 'SINGLETON-CODEHASH' : 'SINGLETON-UNKNOWN',
      severity: isKnownAddress ? 'critical' : 'high',
      evidence: { singleton, codeHash, reported: reportedVersion ?? '' },
    })
  } else if (reportedVersion !== null && reportedVersion !== version.replace('+L2', '')) {
    findings.push({ id: 'VERSION-LIES', severity: 'critical', evidence: { version, reported: reportedVersion } })
  }
  if (version !== null && /^(?:0|1\.[012])\./.test(version)) {
    findings.push({ id: 'VERSION-OLD', severity: 'medium', evidence: { version } })
  }
  return findings
}

function isKnownReceiver(receiver: Address, input: ReviewInput): boolean {
  const known = [input.safeAddress, ...(input.state?.owners ?? [])]
  return known.some((one) => isAddressEqual(one, receiver))
}

/** Who is paid for executing, and how much that can be at most. Only refunds in native coin are capped by the Safe. */
export function reviewRefund(input: ReviewInput): Finding[] {
  const { safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = input.safeTx
  const findings: Finding[] = []
  const hasToken = !isAddressEqual(gasToken, zeroAddress)
  if (gasPrice > 0n) {
    const isHarmless = isKnownReceiver(refundReceiver, input) && !hasToken
    findings.push({
      id: 'GAS-REFUND',
      severity: isHarmless ? 'medium' : 'critical',
      evidence: {
        gasPrice: String(gasPrice),
        baseGas: String(baseGas),
        safeTxGas: String(safeTxGas),
        gasToken,
        refundReceiver,
      },
    })
    if (baseGas > HIGH_BASE_GAS) {
      findings.push({ id: 'GAS-BASEGAS-HIGH', severity: 'high', evidence: { baseGas: String(baseGas) } })
    }
  } else if (hasToken || !isAddressEqual(refundReceiver, zeroAddress)) {
    findings.push({ id: 'GAS-RECEIVER-SET', severity: 'medium', evidence: { gasToken, refundReceiver } })
  }
  if (safeTxGas > 0n)
    findings.push({ id: 'SAFETXGAS-SET', severity: 'low', evidence: { safeTxGas: String(safeTxGas) } })
  return findings
}

/** What stands before this transaction, and what competes with it. */
export function reviewNonce({ safeTxHash }: SafeTxHashes, input: ReviewInput): Finding[] {
  const { nonce } = input.safeTx
  const findings: Finding[] = []
  for (const other of input.others) {
    if (other.nonce !== nonce || other.safeTxHash.toLowerCase() === safeTxHash || other.confirmations.length === 0)
      continue
    findings.push({
      id: 'NONCE-CONFLICT',
      severity: 'high',
      evidence: {
        nonce: String(nonce),
        otherSafeTxHash: other.safeTxHash,
        confirmations: String(other.confirmations.length),
      },
    })
  }
  if (input.state === null) return findings
  const chainNonce = input.state.nonce
  const evidence = { nonce: String(nonce), chainNonce: String(chainNonce), earlier: String(nonce - chainNonce) }
  if (nonce < chainNonce) findings.push({ id: 'NONCE-PAST', severity: 'info', evidence })
  if (nonce > chainNonce) findings.push({ id: 'NONCE-GAP', severity: 'medium', evidence })
  return findings
}

/** What the proposer says, which proves nothing, and what it may hide. */
export function reviewOrigin(input: ReviewInput): Finding[] {
  const { origin } = input
  if (origin === null || origin === '') return []
  const findings: Finding[] = [{ id: 'ORIGIN-CLAIM', severity: 'info', evidence: { origin } }]
  const hidden = [...origin].filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character))
  if (hidden.length > 0 || origin.length > MAX_ORIGIN_LENGTH) {
    const codePoints = hidden.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    const evidence = { codePoints: [...new Set(codePoints)].join(' '), length: String(origin.length) }
    findings.push({ id: 'TEXT-CONTROL', severity: 'medium', evidence })
  }
  return findings
}

/** Every address that a call tree names. */
function addressesOf(call: Call): Address[] {
  return flattenCalls(call)
    .flatMap(({ to, args }) => [to, ...args.filter(({ type }) => type === 'address').map(({ value }) => value)])
    .filter((one): one is Address => isAddress(one))
}

/** Addresses that look like another one where people look: the first and last four digits. */
export function reviewAddresses(call: Call, input: ReviewInput): Finding[] {
  const look = (address: Address) => `${address.slice(2, 6)}${address.slice(-4)}`.toLowerCase()
  const first = new Map<string, Address>()
  const known = [
    input.safeAddress,
    ...(input.account === null ? [] : [input.account]),
    ...(input.state?.owners ?? []),
    ...(input.state?.modules ?? []),
    ...input.tokens.map(({ address }) => address),
  ]
  for (const address of known) if (!first.has(look(address))) first.set(look(address), address)
  const findings = new Map<string, Finding>()
  for (const address of [...addressesOf(call), input.safeTx.refundReceiver, input.safeTx.gasToken]) {
    const original = first.get(look(address))
    if (original === undefined) first.set(look(address), address)
    else if (!isAddressEqual(original, address)) {
      const evidence = { address, resembles: original }
      findings.set(address.toLowerCase(), { id: 'ADDR-LOOKALIKE', severity: 'high', evidence })
    }
  }
  return [...findings.values()]
}
