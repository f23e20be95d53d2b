import { domainVersion, hashSafeTx, type SafeTxHashes, safeTxTypedData } from '@countersign/safe'
import { type Hex, hashTypedData } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'

/**
 * The hashes by the rules of the Safe's version; without its state, by those rules that give the claimed hash. `again`
 * is the same computed by the EIP-712 code of viem, from the typed data that the wallet is going to be asked to sign.
 */
export function computeHashes(input: ReviewInput): { hashes: SafeTxHashes; again: Hex } {
  const { chainId, safeAddress, safeTx, state, claimedHash } = input
  const hashBy = (version: string) => {
    const context = { chainId, safeAddress, version, safeTx }
    return { context, hashes: hashSafeTx(context) }
  }
  const isClaimed = ({ hashes }: { hashes: SafeTxHashes }) => hashes.safeTxHash === claimedHash?.toLowerCase()
  const [version, ...otherVersions] = state === null ? (['1.3.0', '1.2.0', '0.1.0'] as const) : [domainVersion(state)]
  // The data of a long batch is dear to hash: once by each rule, and by another rule only where the first is not it.
  const first = hashBy(version)
  const claimed = isClaimed(first) ? first : otherVersions.map(hashBy).find(isClaimed)
  const { context, hashes } = claimed ?? first
  return { hashes, again: hashTypedData(safeTxTypedData(context)) }
}

/** Compares the computed hash with a second computation of it, and with what everybody else says it is. */
export function reviewHash({ safeTxHash }: SafeTxHashes, again: Hex, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const computed = safeTxHash
  const where = { field: 'safeTxHash' } as const
  if (again !== safeTxHash) findings.push(finding('HASH-IMPL-MISMATCH', 'critical', { computed, again }, where))
  const differs = (other: Hex | null | undefined): other is Hex =>
    typeof other === 'string' && other.toLowerCase() !== safeTxHash
  if (differs(input.claimedHash)) {
    findings.push(finding('HASH-MISMATCH', 'critical', { computed, claimed: input.claimedHash }, where))
  }
  if (differs(input.chainSafeTxHash)) {
    findings.push(finding('HASH-CHAIN-MISMATCH', 'critical', { computed, chain: input.chainSafeTxHash }, where))
  }
  if (differs(input.reviewedBefore)) {
    findings.push(finding('PROPOSAL-EDITED', 'critical', { computed, before: input.reviewedBefore }, where))
  }
  // The type says 0 or 1; what came over the wire may say otherwise.
  const operation: number = input.safeTx.operation
  if (operation !== 0 && operation !== 1) {
    findings.push(finding('OP-INVALID', 'critical', { operation }, { field: 'operation' }))
  }
  return findings
}
