import type { MultisigTransaction, QueueClaims } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { byIdentity } from '../api/computed-query.ts'
import { queueClaimsQuery } from '../safe/queries.ts'
import { transactionRequest } from './subject.ts'
import type { Listed } from './use-verdicts.ts'

/** Transactions of the queue, each as its page reviews it, by one request for all. */
export function useListed(
  transactions: readonly MultisigTransaction[],
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  account: Address | null,
): { listed: readonly Listed[]; isPending: boolean } {
  const {
    data: claims,
    error,
    isLoading,
  } = useQuery({
    ...queueClaimsQuery(chainId, safeAddress),
    enabled: transactions.length > 0,
  })
  // Earlier claims do not stand in for those that cannot be read now.
  const said = error ? undefined : claims
  const isUnread = error !== null
  const listed = useMemo(
    () => listedTransactions(transactions, isUnread ? null : said, account),
    [transactions, isUnread, said, account],
  )
  return { listed, isPending: isLoading }
}

/**
 * Transactions of the queue, each as its page reviews it. One whose claims are not known has no request: a review without
 * them could say better than the page does.
 *
 * @param claims undefined until the server says them; null where it does not
 */
export function listedTransactions(
  transactions: readonly MultisigTransaction[],
  claims: QueueClaims | null | undefined,
  account: Address | null,
): Listed[] {
  const claimsOf = new Map(claims?.proposals.map((proposal) => [proposal.safeTxHash, proposal]))
  return transactions.map((transaction) => {
    const { safeTx, safeTxHash: hash } = transaction
    const said = claimsOf.get(hash)
    const none = { hash, request: null, spent: [] }
    if (claims === undefined) return none
    if (claims === null) return { ...none, why: 'claims' }
    if (safeTx === null) return { ...none, why: 'fields' }
    // The server says it of the first hundred.
    if (said === undefined) return { ...none, why: 'many' }
    // The page is told of later deleted ones alone.
    const others = [...claims.others, ...claims.deleted.filter(({ nonce }) => nonce > safeTx.nonce)]
    const request = transactionRequest({ ...said, transaction, others }, hash, account)
    if (request === null) return { ...none, why: 'fields' }
    return { hash, request: { ...request, others: byIdentity(request.others) }, spent: said.spent }
  })
}
