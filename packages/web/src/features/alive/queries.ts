import { listSignatures } from '@countersign/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Everything that accounts have signed for a Safe and that may still count, as the server lists it. */
export function signaturesQuery(chainId: number, safeAddress: Address) {
  return infiniteQueryOptions({
    queryKey: queryKeys.signatures(chainId, safeAddress),
    queryFn: ({ pageParam, signal }) =>
      api(listSignatures, { chainId, safeAddress, cursor: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
  })
}
