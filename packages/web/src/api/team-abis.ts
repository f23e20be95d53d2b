import { listAbis } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

/** ABIs that the team gave. */
export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: ({ signal }) => api(listAbis, { chainId, safeAddress }, signal),
    staleTime: 60_000,
    retry: false,
  })
}
