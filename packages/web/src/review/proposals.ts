import type { listQueueClaims, MultisigTransaction, OtherProposal, Reply } from '@countersign/contract'
import { isCancellation, isWaitingFor, type SafeState } from '@countersign/safe-core'
import type { Address } from 'viem'
import { byIdentity } from '../api/computed-query.ts'
import { transactionRequest } from './subject.ts'
import type { Listed } from './use-verdicts.ts'

/** A transaction whose fields are known, with its place in the queue. */
export type Proposal = MultisigTransaction & { nonce: bigint }

/** Those whose fields are known: what was executed elsewhere may have none. */
export function proposalsOf(transactions: readonly MultisigTransaction[]): Proposal[] {
  return transactions.flatMap((one) => (one.safeTx === null ? [] : [{ ...one, nonce: one.safeTx.nonce }]))
}

/** Transactions of a list as what concerns another one. */
export function othersOf(transactions: readonly MultisigTransaction[]): OtherProposal[] {
  return transactions.flatMap(({ safeAddress, safeTx, safeTxHash, isExecuted, confirmations }) =>
    safeTx === null || isExecuted
      ? []
      : [
          {
            safeTxHash,
            nonce: safeTx.nonce,
            isCancellation: isCancellation(safeTx, safeAddress),
            confirmations,
            formerConfirmations: [],
          },
        ],
  )
}

/**
 * Transactions of the queue, each as its page reviews it. One whose claims are not known has no request: a review without
 * them could say better than the page does.
 */
export function listedTransactions(
  transactions: readonly MultisigTransaction[],
  claims: Reply<typeof listQueueClaims> | undefined,
  account: Address | null,
): Listed[] {
  const claimsOf = new Map(claims?.proposals.map((one) => [one.safeTxHash, one]))
  return transactions.map((transaction) => {
    const { safeTx, safeTxHash: hash } = transaction
    const said = claimsOf.get(hash)
    if (claims === undefined || said === undefined || safeTx === null) return { hash, request: null, spent: [] }
    // The page is told of later deleted ones alone.
    const others = [...claims.others, ...claims.deleted.filter(({ nonce }) => nonce > safeTx.nonce)]
    const request = transactionRequest({ ...said, transaction, others }, hash, account)
    return { hash, request: request && { ...request, others: byIdentity(request.others) }, spent: said.spent }
  })
}

/** Whether a transaction waits for this account, as far as the account and the Safe are known. */
export function waitsFor(
  transaction: MultisigTransaction,
  account: Address | null,
  state: Pick<SafeState, 'owners' | 'threshold'> | null | undefined,
): boolean {
  return account !== null && !!state && isWaitingFor(transaction, account, state)
}
