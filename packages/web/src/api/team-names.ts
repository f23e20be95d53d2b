import { listNames, type NamedAddress } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

export function namesQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.names(chainId, safeAddress),
    queryFn: ({ signal }) => api(listNames, { chainId, safeAddress }, signal),
    staleTime: 60_000,
    // Who is not of the team has no names to show; that is no trouble to tell.
    retry: false,
  })
}

const none: readonly NamedAddress[] = []

/** What the team calls addresses. Claims: shown beside an address, never instead of it. */
export function useTeamNames(chainId: number, safeAddress: Address): readonly NamedAddress[] {
  return useQuery(namesQuery(chainId, safeAddress)).data?.names ?? none
}
