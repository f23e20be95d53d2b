import { type GivenAbiEntry, listAbis } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

const PAGE = 100
/** A page of the server has about 1 MiB at the most: more than these nobody waits for. */
const MOST_PAGES = 12

/** ABIs that the team gave, one's own first, which are all there. `isCut`: of others there are more. */
export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const abis: GivenAbiEntry[] = []
      let cursor: string | undefined
      for (let at = 0; at < MOST_PAGES; at += 1) {
        const page = await api(listAbis, { chainId, safeAddress, cursor, limit: PAGE }, signal)
        abis.push(...page.abis)
        cursor = page.nextCursor ?? undefined
        if (!cursor) break
      }
      return { abis, isCut: cursor !== undefined }
    },
    staleTime: 60_000,
    retry: false,
  })
}
