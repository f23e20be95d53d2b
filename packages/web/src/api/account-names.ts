import type { Address } from 'viem'
import { text } from '../text/text.ts'
import { useSession } from '../wallet/index.ts'
import { useSafeState } from './safe-state.ts'
import { quotedName, useTeamNames } from './team-names.ts'

/** What a screen knows accounts by: owners by their number, the reader; what the team calls them is quoted after that. */
export function useAccountNames(chainId: number, safeAddress: Address): (address: string) => string | undefined {
  const owners = useSafeState(chainId, safeAddress).data?.owners ?? []
  const team = useTeamNames(chainId, safeAddress)
  const { session } = useSession()
  return (address) => {
    const isThis = (one: string) => one.toLowerCase() === address.toLowerCase()
    const number = owners.findIndex(isThis) + 1
    const isYou = session !== null && isThis(session.address)
    const names = [
      number > 0 && text('safe.owner', { number }),
      isYou && text('safe.you'),
      quotedName(address, { team, owners, reader: session?.address ?? null }),
    ]
    return names.filter((name) => typeof name === 'string').join(', ') || undefined
  }
}
