import { listAbis, type TeamAbiEntry } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from './all-pages.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

const PAGE = 100

/** An ABI that somebody of the team gave. `isSigned`: by its author, verified here; only such a one reads a call. */
export type TeamAbi = TeamAbiEntry & { isSigned: boolean }

/** ABIs that the team gave, one's own first, which are all there. `isCut`: of others there are more. */
export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const { items, isCut } = await allPages(
        (cursor) => api(listAbis, { chainId, safeAddress, cursor, limit: PAGE }, signal),
        (page) => page.abis,
      )
      const abis = await Promise.all(items.map((entry) => withSigned({ chainId, safeAddress }, entry)))
      return { abis, isCut }
    },
    staleTime: 60_000,
    retry: false,
  })
}

async function withSigned(place: { chainId: number; safeAddress: Address }, entry: TeamAbiEntry): Promise<TeamAbi> {
  if (entry.signature === null) return { ...entry, isSigned: false }
  const { isSignedByAuthor } = await import('./signed-abis.ts')
  return { ...entry, isSigned: await isSignedByAuthor(place, entry) }
}
