import type { MultisigTransaction } from '@countersign/contract'
import { isWaitingFor, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'

/** Somebody may fill a queue with proposals: those that come first are reviewed in lists. */
export const MAX_REVIEWED = 100

/** A transaction whose fields are known, with its place in the queue. */
export type Proposal = MultisigTransaction & { nonce: bigint }

/** Those whose fields are known: what was executed elsewhere may have none. */
export function proposalsOf(transactions: readonly MultisigTransaction[]): Proposal[] {
  return transactions.flatMap((transaction) =>
    transaction.safeTx === null ? [] : [{ ...transaction, nonce: transaction.safeTx.nonce }],
  )
}

/** Whether a transaction waits for this account, as far as the account and the Safe are known. */
export function waitsFor(
  transaction: MultisigTransaction,
  account: Address | null,
  state: Pick<SafeState, 'owners' | 'threshold'> | null | undefined,
): boolean {
  return account !== null && !!state && isWaitingFor(transaction, account, state)
}
