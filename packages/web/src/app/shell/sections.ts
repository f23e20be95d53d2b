import type { TextKey } from '../../text/text.ts'
import type { IconName } from './icons.tsx'

/** The address of any page of a Safe: all have the same parameters. */
export type SafePath = '/safes/$chainId/$safeAddress'

export type Section = {
  id: string
  /** Part of the path behind the address of the Safe. */
  path: string
  label: TextKey
  icon: IconName
  /** First parts of the addresses that belong to it. */
  holds: readonly string[]
}

/** Places of daily work, in their order; on a phone the first of them stand in the bar. */
export const work: readonly Section[] = [
  { id: 'home', path: '', label: 'safe.screens.home', icon: 'home', holds: [''] },
  {
    id: 'transactions',
    path: '/queue',
    label: 'safe.screens.transactions',
    icon: 'transactions',
    holds: ['queue', 'history', 'transactions', 'new', 'execute', 'signatures'],
  },
  { id: 'assets', path: '/assets', label: 'safe.screens.assets', icon: 'assets', holds: ['assets'] },
  { id: 'messages', path: '/messages', label: 'safe.screens.messages', icon: 'messages', holds: ['messages'] },
]

/** Records and what the Safe is made of. */
export const records: readonly Section[] = [
  { id: 'book', path: '/book', label: 'safe.screens.book', icon: 'book', holds: ['book'] },
  { id: 'team', path: '/team', label: 'safe.screens.team', icon: 'team', holds: ['team'] },
  { id: 'activity', path: '/activity', label: 'safe.screens.activity', icon: 'activity', holds: ['activity'] },
  { id: 'settings', path: '/settings', label: 'safe.screens.settings', icon: 'settings', holds: ['settings'] },
]

/** Pages that are told apart below *Transactions*. */
export const ofTransactions = [
  { path: '/queue', label: 'safe.screens.queue' },
  { path: '/history', label: 'safe.screens.history' },
] as const satisfies readonly { path: string; label: TextKey }[]

/** Pages that are about no Safe. */
export const own = [
  { to: '/', label: 'workspace.mySafes', icon: 'safes' },
  { to: '/chains', label: 'workspace.chains', icon: 'chains' },
  { to: '/account', label: 'workspace.account', icon: 'settings' },
] as const satisfies readonly { to: string; label: TextKey; icon: IconName }[]

/** Answers the link to a section, as the router wants it written. */
export function pathOf({ path }: Pick<Section, 'path'>): SafePath {
  return `/safes/$chainId/$safeAddress${path}` as SafePath
}

/** Tells the section that an address of a Safe is in. */
export function isIn({ holds }: Section, pathname: string): boolean {
  return holds.includes(pathname.split('/')[4] ?? '')
}
