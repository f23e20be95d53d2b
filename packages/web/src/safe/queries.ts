import { getTransaction, type LiveEvent, listQueue } from '@countersign/contract'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { api } from '../api/client.ts'
import { keysOutdatedBy, queryKeys } from '../api/query-keys.ts'
import { askReviewList } from '../api/review-lists.ts'

/** Where something that owners sign has its page. */
export type Place = { kind: 'transaction' | 'message'; chainId: number; safeAddress: Address; hash: Hex }

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

/** Claims that the reviews of the queue need beside its transactions. */
export function queueClaimsQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.queueClaims(chainId, safeAddress),
    queryFn: () => askReviewList(chainId, safeAddress, 'claims'),
    staleTime: 5_000,
  })
}

function eventOf({ kind, chainId, safeAddress, hash }: Place): LiveEvent {
  return kind === 'message'
    ? { kind, chainId, safeAddress, safeMessageHash: hash }
    : { kind, chainId, safeAddress, safeTxHash: hash }
}

/** All that shows it is asked for again. */
export function outdate(queryClient: QueryClient, place: Place): void {
  for (const queryKey of keysOutdatedBy(eventOf(place))) void queryClient.invalidateQueries({ queryKey })
}
