import { executionSize, MAX_TRANSACTION_BYTES } from '@countersign/safe/calls'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { finding } from './make-finding.ts'

/** A transaction whose execution, if it is still to come, is larger than ordinary nodes take, whatever it does: no run shows that. */
export function reviewSize({ safeTx, state }: ReviewInput): Finding[] {
  if (state !== null && safeTx.nonce < state.nonce) return []
  const bytes = executionSize(safeTx, state ?? { threshold: 1 })
  if (bytes <= MAX_TRANSACTION_BYTES) return []
  const evidence = { byteSize: bytes, byteLimit: MAX_TRANSACTION_BYTES }
  return [finding('TX-OVERSIZED', 'high', evidence, { field: 'data' })]
}
