import { getTransaction, listQueue } from '@countersign/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export function transactionQuery(chainId: number, safeTxHash: Hex) {
  return queryOptions({
    queryKey: queryKeys.transaction(chainId, safeTxHash),
    queryFn: ({ signal }) => api(getTransaction, { chainId, safeTxHash }, signal),
    staleTime: 5_000,
  })
}

export function queueQuery(chainId: number, safeAddress: Address) {
  return infiniteQueryOptions({
    queryKey: queryKeys.queue(chainId, safeAddress),
    queryFn: ({ pageParam, signal }) => api(listQueue, { chainId, safeAddress, cursor: pageParam, limit: 100 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
  })
}
