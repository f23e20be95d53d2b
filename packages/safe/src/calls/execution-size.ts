import { size } from 'viem'
import type { SafeState } from '../safe/safe-state.ts'
import type { SafeTx } from '../signing/safe-tx.ts'

/**
 * Bytes that a whole transaction may have, its signature included: four slots of 32 KiB. Geth, Reth and Erigon take no
 * larger one, however much gas it has.
 */
export const MAX_TRANSACTION_BYTES = 131_072

/** Bytes beside the data, at most: kind, chain, nonce, fees, gas, receiver, value, signature, and their lengths. */
const ENVELOPE_BYTES = 200
/** Selector, the ten words of `execTransaction`, and the lengths of data and signatures. */
const EXECUTION_BYTES = 388
/** Selector and the two words before the calls of a batch; and what stands before the data of each. */
const BATCH_BYTES = 68
const BATCHED_CALL_BYTES = 85
const SIGNATURE_BYTES = 65

/**
 * Bytes of the transaction that executes this one, at most: signed by keys of so many owners as the threshold asks for, the
 * creation of the Safe included where it goes first.
 *
 * @example
 * executionSize(safeTx, safe) > MAX_TRANSACTION_BYTES // no ordinary node takes it
 */
export function executionSize(
  { data }: Pick<SafeTx, 'data'>,
  { threshold, creation }: Pick<SafeState, 'threshold' | 'creation'>,
): number {
  const execution = EXECUTION_BYTES + inWords(size(data)) + inWords(threshold * SIGNATURE_BYTES)
  if (creation === undefined) return ENVELOPE_BYTES + execution
  return ENVELOPE_BYTES + BATCH_BYTES + inWords(2 * BATCHED_CALL_BYTES + size(creation.data) + execution)
}

function inWords(bytes: number): number {
  return Math.ceil(bytes / 32) * 32
}
