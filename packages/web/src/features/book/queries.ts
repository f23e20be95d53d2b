import { listAbis, listNotes } from '@countersign/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: ({ signal }) => api(listAbis, { chainId, safeAddress }, signal),
    staleTime: 60_000,
    retry: false,
  })
}

export function notesQuery(chainId: number, safeAddress: Address, subjectHash: Hex) {
  return queryOptions({
    queryKey: queryKeys.notes(chainId, safeAddress, subjectHash),
    queryFn: ({ signal }) => api(listNotes, { chainId, safeAddress, subjectHash }, signal),
    staleTime: 5_000,
    retry: false,
  })
}

/** A change of what the team keeps; afterwards all of it is asked for again. */
export function useTeamChange<Input, Output>(
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  change: (input: Input) => Promise<Output>,
  onSuccess?: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onSuccess?.()
      await queryClient.invalidateQueries({ queryKey: queryKeys.team(chainId, safeAddress) })
    },
  })
}
