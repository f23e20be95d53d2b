import { listAbis, MAX_ABIS, type TeamAbiEntry } from '@countersign/contract'
import { hashAbi } from '@countersign/review'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { askReviewList } from '../../api/review-lists.ts'

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
      const [{ areSigned }, { requestOfContracts }] = await Promise.all([
        import('./signed-entries.ts'),
        import('../proof/request-of-contracts.ts'),
      ])
      const hashOf = ({ contract, abi }: TeamAbiEntry) => hashAbi({ chainId, safeAddress, contract, abi })
      const signed = await areSigned(items, hashOf, requestOfContracts(chainId, client))
      return { abis: items.map((entry, at) => ({ ...entry, isSigned: signed[at] ?? false })), isCut }
    },
    staleTime: 60_000,
    retry: false,
  })
}
