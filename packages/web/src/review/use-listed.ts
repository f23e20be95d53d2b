import type { MultisigTransaction } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { listedTransactions } from './proposals.ts'
import { queueClaimsQuery } from './queries.ts'
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
  // What was said before does not stand for what cannot be asked now.
  const said = error ? undefined : claims
  const listed = useMemo(() => listedTransactions(transactions, said, account), [transactions, said, account])
  return { listed, isPending: isLoading }
}
