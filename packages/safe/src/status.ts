import type { Address } from 'viem'
import { countConfirmations, type QueuedTransaction } from './queue.ts'

/** State of a transaction, in the words of the Safe Client Gateway. */
export type TransactionStatus = 'AWAITING_CONFIRMATIONS' | 'AWAITING_EXECUTION' | 'CANCELLED' | 'FAILED' | 'SUCCESS'

/**
 * The status of a transaction. A transaction whose nonce another one has used is `CANCELLED`: it can never execute.
 * `AWAITING_EXECUTION` says that the confirmations are enough, not that its turn has come: see `canExecute`.
 *
 * @param transaction - `isSuccessful` is null until it is executed; its confirmations are verified ones.
 * @param safe - what the chain says of the Safe now.
 *
 * @example
 * transactionStatus({ nonce: 4n, isExecuted: false, isSuccessful: null, confirmations: [] }, state) // 'CANCELLED' at nonce 5
 */
export function transactionStatus(
  transaction: QueuedTransaction & { isSuccessful: boolean | null },
  safe: { owners: readonly Address[]; threshold: number; nonce: bigint },
): TransactionStatus {
  if (transaction.isExecuted) return transaction.isSuccessful === false ? 'FAILED' : 'SUCCESS'
  if (transaction.nonce < safe.nonce) return 'CANCELLED'
  const { confirmed } = countConfirmations(transaction.confirmations, safe.owners)
  return confirmed.length >= safe.threshold ? 'AWAITING_EXECUTION' : 'AWAITING_CONFIRMATIONS'
}
