import { listNotes } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function notesQuery(chainId: number, safeAddress: Address, subjectHash: Hex) {
  return queryOptions({
    queryKey: queryKeys.notes(chainId, safeAddress, subjectHash),
    queryFn: ({ signal }) => api(listNotes, { chainId, safeAddress, subjectHash }, signal),
    staleTime: 5_000,
    retry: false,
  })
}
