import { listHistory, listMessages, listSignInRequests } from '@countersign/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function messagesQuery(chainId: number, safeAddress: Address) {
  return infiniteQueryOptions({
    queryKey: queryKeys.messages(chainId, safeAddress),
    queryFn: ({ pageParam, signal }) =>
      api(listMessages, { chainId, safeAddress, cursor: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
  })
}

/** Asks for the sign-ins as the Safe that wait for its owners, or for the one with this nonce. Those who wait are no part of the team: no event tells. */
export function signInRequestsQuery(chainId: number, safeAddress: Address, nonce?: string) {
  return queryOptions({
    queryKey: [...queryKeys.signInRequests(chainId, safeAddress), nonce ?? null],
    queryFn: ({ signal }) => api(listSignInRequests, { chainId, safeAddress, nonce }, signal),
    staleTime: 5_000,
    refetchInterval: 15_000,
  })
}

/** Asks for the signed messages in the history of the chain. */
export function signedOnChainQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: [...queryKeys.history(chainId, safeAddress), 'message-signed'],
    queryFn: ({ signal }) => api(listHistory, { chainId, safeAddress, kinds: ['message-signed'], limit: 100 }, signal),
    staleTime: 5_000,
  })
}
