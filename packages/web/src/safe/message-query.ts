import { getMessage } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export function messageQuery(chainId: number, safeMessageHash: Hex) {
  return queryOptions({
    queryKey: queryKeys.message(chainId, safeMessageHash),
    queryFn: ({ signal }) => api(getMessage, { chainId, safeMessageHash }, signal),
    staleTime: 5_000,
  })
}
