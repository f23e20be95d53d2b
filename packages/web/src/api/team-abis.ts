import { listAbis } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from './all-pages.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

const PAGE = 100

/** ABIs that the team gave, one's own first, which are all there. `isCut`: of others there are more. */
export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const { items: abis, isCut } = await allPages(
        (cursor) => api(listAbis, { chainId, safeAddress, cursor, limit: PAGE }, signal),
        (page) => page.abis,
      )
      return { abis, isCut }
    },
    staleTime: 60_000,
    retry: false,
  })
}
