import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { text } from '../../text/safe.ts'
import { useSession } from '../../wallet/index.ts'
import { safeQuery } from '../safe.ts'
import { useSafeState } from '../safe-state.ts'
import { chooseName, type GivenName } from './team-names.ts'

/** Gives the team's name of a Safe: the reader's own word, else an owner's by the chain, else the first. */
export function useSafeName(chainId: number, safeAddress: Address): GivenName | undefined {
  const { session } = useSession()
  const { data: safe } = useQuery(safeQuery(chainId, safeAddress))
  const state = useSafeState(chainId, safeAddress).data
  return chooseName(safe?.names ?? [], {
    owners: state?.owners ?? safe?.owners ?? [],
    reader: session?.address ?? null,
  })
}

/** The Safe as the tab of a browser names it: by its name, else by ends of its address and its chain. */
export function useSafeTitle(chainId: number, safeAddress: Address): string {
  const given = useSafeName(chainId, safeAddress)
  const chain = useChain(chainId)
  if (given && given.by !== 'other') return given.name
  const ends = `${safeAddress.slice(0, 6)}…${safeAddress.slice(-4)}`
  return chain ? text('safe.title.short', { ends, chain: chain.name }) : ends
}
