import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { queryKeys } from '../api/query-keys.ts'

/** A change of what a Safe's team keeps; afterwards all of it is asked for again. */
export function useTeamChange<Input, Output>(
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  change: (input: Input) => Promise<Output>,
  onSuccess?: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => onSuccess?.(),
    // Changes that were made before a refusal stay.
    onSettled: async () => {
      // Live events of the team do not reach an account that left it.
      const outdated = [queryKeys.team(chainId, safeAddress), queryKeys.safe(chainId, safeAddress), queryKeys.safes]
      await Promise.all(outdated.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
  })
}
