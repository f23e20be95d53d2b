import { listSafeAccess, listViewers } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function viewersQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.viewers(chainId, safeAddress),
    queryFn: ({ signal }) => api(listViewers, { chainId, safeAddress }, signal),
    staleTime: 5_000,
  })
}

/** Reads the sessions and API tokens that act as the Safe. No live event reports that one was opened or used. */
export function safeAccessQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.safeAccess(chainId, safeAddress),
    queryFn: ({ signal }) => api(listSafeAccess, { chainId, safeAddress }, signal),
    staleTime: 5_000,
    refetchInterval: 30_000,
  })
}
