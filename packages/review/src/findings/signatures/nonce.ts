import { isSameAddress } from '@countersign/safe'
import type { Hex } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'

/** A proposer of thousands must not push everything else off the screen: each finding gives the total. */
const MAX_CONFLICTS = 20

/** Whether a transaction only uses its nonce: that is how another one at the nonce is cancelled. */
export function isCancellation({ safeTx, safeAddress }: ReviewInput): boolean {
  const { to, data, operation, gasPrice } = safeTx
  return isSameAddress(to, safeAddress) && data === '0x' && operation === 0 && gasPrice === 0n
}

/**
 * Lists the transactions before this one, and its competitors. A cancellation competes too, and is no cause for
 * alarm.
 */
export function reviewNonce(safeTxHash: Hex, input: ReviewInput): Finding[] {
  const { nonce } = input.safeTx
  const where = { field: 'nonce' } as const
  const findings: Finding[] = []
  const competing = input.others.filter(
    (other) => other.nonce === nonce && other.safeTxHash.toLowerCase() !== safeTxHash && other.confirmations.length > 0,
  )
  const severity = isCancellation(input) ? 'info' : 'high'
  for (const other of competing.slice(0, MAX_CONFLICTS)) {
    const evidence = {
      nonce,
      otherSafeTxHash: other.safeTxHash,
      confirmations: other.confirmations.length,
      competing: competing.length,
    }
    findings.push(finding('NONCE-CONFLICT', severity, evidence, where))
  }
  if (input.state === null) return findings
  const chainNonce = input.state.nonce
  const evidence = { nonce, chainNonce }
  if (nonce < chainNonce) findings.push(finding('NONCE-PAST', 'info', evidence, where))
  if (nonce > chainNonce) {
    findings.push(finding('NONCE-GAP', 'medium', { ...evidence, earlier: nonce - chainNonce }, where))
  }
  return findings
}
