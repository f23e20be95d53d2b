import { readSafeState, type SafeState } from '@countersign/safe-core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from './chain-client.ts'
import { queryKeys } from './query-keys.ts'

/** Live events bring changes at once; this is for those that nobody reports. */
const REFETCH_MS = 30_000
/** As long as the chain cannot be read, the page is of little use. */
const FAILED_REFETCH_MS = 5_000

/** The Safe as this browser reads it from the chain, all at one block. */
export function safeStateQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.safeState(chainId, safeAddress),
    queryFn: (): Promise<SafeState> => readSafeState(chainRequest(chainId), safeAddress, chainId),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.status === 'error' ? FAILED_REFETCH_MS : REFETCH_MS),
  })
}

export function useSafeState(chainId: number, safeAddress: Address) {
  return useQuery(safeStateQuery(chainId, safeAddress))
}
