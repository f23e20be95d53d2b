import type { Address } from 'viem'
import { text } from '../text/text.ts'
import { showUntrusted } from '../text/untrusted.ts'
import { useSession } from '../wallet/index.ts'
import { useSafeState } from './safe-state.ts'
import { useTeamNames } from './team-names.ts'

/** What a screen knows accounts by: owners by their number, the reader; what the team calls them is quoted after that. */
export function useAccountNames(chainId: number, safeAddress: Address): (address: string) => string | undefined {
  const owners = useSafeState(chainId, safeAddress).data?.owners ?? []
  const team = useTeamNames(chainId, safeAddress)
  const { session } = useSession()
  return (address) => {
    const isThis = (one: string) => one.toLowerCase() === address.toLowerCase()
    const number = owners.findIndex(isThis) + 1
    const isYou = session !== null && isThis(session.address)
    const given = team.find((one) => isThis(one.address))
    const names = [
      number > 0 && text('safe.owner', { number }),
      isYou && text('safe.you'),
      given && text('safe.named', { name: showUntrusted(given.name, 60) }),
    ]
    return names.filter((name) => typeof name === 'string').join(', ') || undefined
  }
}
