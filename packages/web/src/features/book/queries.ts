import { listNotes } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function notesQuery(chainId: number, safeAddress: Address, subjectHash: Hex) {
  return queryOptions({
    queryKey: queryKeys.notes(chainId, safeAddress, subjectHash),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(
        (cursor) => api(listNotes, { chainId, safeAddress, subjectHash, cursor }, signal),
        (page) => page.notes,
      )
      return { notes: items }
    },
    staleTime: 5_000,
    retry: false,
  })
}
