import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useChains } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { chooseName, shortName, useTeamNames } from '../../safe/names/team-names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { proposalsOf } from '../../safe/proposals.ts'
import { queueQuery } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { text } from '../../text/lists.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { storeTheme, type Theme } from '../../ui/screen/theme.ts'
import { openWalletDialog, useSession } from '../../wallet/index.ts'
import type { Place } from '../shell/place.ts'
import { ofTransactions, own, pathOf, records, work } from '../shell/sections.ts'
import type { Command } from './commands.ts'

/** Commands that hold everywhere: My Safes, pages of the person, things to do. */
export function useCommands(onShortcuts: () => void): Command[] {
  const router = useRouter()
  const { session, status } = useSession()
  const isSignedIn = status === 'authenticated'
  const { data } = useQuery({ ...safesQuery, enabled: isSignedIn })
  const chains = useChains()
  const go = (to: string) => () => void router.navigate({ to })
  const safes = (data?.safes ?? []).map((safe): Command => {
    const given = chooseName(safe.names, { owners: safe.owners, reader: session?.address ?? null })
    const chain = chains.find(({ chainId }) => chainId === safe.chainId)?.name ?? String(safe.chainId)
    return {
      id: `safe ${safe.chainId} ${safe.address}`,
      group: 'safes',
      label: given ? shortName(given) : text('workspace.unnamed'),
      about: `${ends(safe.address)} · ${chain}`,
      more: safe.address,
      run: go(`/safes/${safe.chainId}/${safe.address}`),
    }
  })
  const pages = own.map(
    ({ to, label }): Command => ({ id: `own ${to}`, group: 'safes', label: text(label), run: go(to) }),
  )
  const themes: Theme[] = ['light', 'dark', 'system']
  return [
    ...(isSignedIn ? safes : []),
    ...(isSignedIn ? pages : []),
    { id: 'wallet', group: 'do', label: text('palette.wallet'), run: openWalletDialog },
    ...themes.map(
      (theme): Command => ({
        id: `theme ${theme}`,
        group: 'do',
        label: text(`palette.theme.${theme}`),
        run: () => storeTheme(guardedStorage, theme),
      }),
    ),
    { id: 'shortcuts', group: 'do', label: text('keys.title'), run: onShortcuts },
  ]
}

/** Commands of the Safe that the page is about: its sections, its queue, its address book. */
export function useCommandsOf(place: Place): Command[] {
  const { chainId, safeAddress } = place
  const router = useRouter()
  const role = useRole(chainId, safeAddress)
  const queue = useInfiniteQuery({ ...queueQuery(chainId, safeAddress), enabled: role !== null })
  const names = useNames(chainId, safeAddress)
  const team = useTeamNames(chainId, safeAddress)
  const go = (path: string) => () => void router.navigate({ to: pathOf({ path }), params: place })
  const mayPropose = role === 'owner' || role === 'proposer'
  const more = [
    ...(mayPropose
      ? ([
          ['/new', 'workspace.new'],
          ['/messages/new', 'palette.newMessage'],
        ] as const)
      : []),
    ['/team/policy', 'palette.policy'],
    ['/team/webhooks', 'palette.webhooks'],
    ['/signatures', 'palette.signatures'],
  ] as const
  const sections = [
    ...work.filter(({ id }) => id !== 'transactions').map(({ path, label }) => [path, label] as const),
    ...ofTransactions.map(({ path, label }) => [path, label] as const),
    ...records.map(({ path, label }) => [path, label] as const),
    ...more,
  ]
  const proposals = proposalsOf((queue.data?.pages ?? []).flatMap((page) => page.transactions))
  return [
    ...sections.map(
      ([path, label]): Command => ({ id: `section ${path}`, group: 'here', label: text(label), run: go(path) }),
    ),
    ...proposals.flatMap(({ safeTx, safeTxHash, nonce }): Command[] =>
      safeTx
        ? [
            {
              id: `queue ${safeTxHash}`,
              group: 'queue',
              label: transactionTitle(safeTx, names),
              about: text('queue.nonce', { nonce }),
              more: `${safeTxHash} ${safeTx.to}`,
              run: go(`/transactions/${safeTxHash}`),
            },
          ]
        : [],
    ),
    ...team.map(
      ({ name, address, author }): Command => ({
        id: `book ${address} ${author}`,
        group: 'book',
        label: showUntrusted(name, 60),
        about: ends(address),
        more: address,
        run: go('/book'),
      }),
    ),
  ]
}

function ends(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
