import { listAbis, MAX_ABIS, type TeamAbiEntry } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { askReviewList } from '../../api/review-lists.ts'
import { fetchHashSources } from '../proof/hash-sources.ts'
import { askWorker } from '../worker/ask-worker.ts'

/** An ABI that somebody of the team gave. `isSigned`: by its author, verified here; only such a one reads a call. */
export type TeamAbi = TeamAbiEntry & { isSigned: boolean }

/** ABIs that the team gave, one's own first, which are all there. `isCut`: of others there are more. */
export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: async ({ signal, client }): Promise<{ abis: TeamAbi[]; isCut: boolean }> => {
      const { items, isCut } = await allPages(
        (cursor) =>
          cursor === undefined
            ? askReviewList(chainId, safeAddress, 'abis')
            : api(listAbis, { chainId, safeAddress, cursor, limit: MAX_ABIS }, signal),
        (page) => page.abis,
      )
      if (items.every(({ signature }) => signature === null))
        return { abis: items.map((entry) => ({ ...entry, isSigned: false })), isCut }
      const sources = await fetchHashSources(client, chainId)
      const signed = await askWorker('areAbisSigned', { chainId, safeAddress, sources, abis: items })
      return { abis: items.map((entry, at) => ({ ...entry, isSigned: signed[at] ?? false })), isCut }
    },
    staleTime: 60_000,
    // If the Worker ends during the verification, the next try starts another one.
    retry: 1,
  })
}
