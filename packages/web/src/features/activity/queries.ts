import { listActivity } from '@countersign/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function activityQuery(chainId: number, safeAddress: Address) {
  return infiniteQueryOptions({
    queryKey: queryKeys.activity(chainId, safeAddress),
    queryFn: ({ pageParam, signal }) =>
      api(listActivity, { chainId, safeAddress, cursor: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
    retry: false,
  })
}
