import { useMemo } from 'react'
import type { Address } from 'viem'
import { useSession } from '../../wallet/index.ts'
import { useSafeState } from '../safe-state.ts'
import { useListedChain } from '../worth/listed-tokens.ts'
import { type Names, namesOf } from './names.ts'
import { useTeamNames } from './team-names.ts'

/** Gives the names of addresses on a page of a Safe. */
export function useNames(chainId: number, safeAddress: Address): Names {
  const { session } = useSession()
  const state = useSafeState(chainId, safeAddress).data
  const account = session?.address ?? null
  const chain = useListedChain(chainId)
  const team = useTeamNames(chainId, safeAddress)
  // One object until a part changes: long lists draw only the rows that changed.
  return useMemo(() => namesOf(safeAddress, state, account, chain, team), [safeAddress, state, account, chain, team])
}
