import { listDelegates } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Asks for the accounts that may propose for an owner of this Safe. */
export function delegatesQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.delegates(chainId, safeAddress),
    queryFn: ({ signal }) => api(listDelegates, { chainId, safeAddress }, signal),
    staleTime: 5_000,
  })
}
