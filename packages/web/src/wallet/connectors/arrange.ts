import { isKnownRdns } from './known-wallets.ts'
import type { WalletWarning } from './wallet-warnings.ts'
import { isContested, type Wallet } from './wallets.ts'

/** Wallets shown at once. More than that are most likely fakes. */
const SHOWN = 8
/** Names with several programs behind them that are shown at once: room for the wallet used last and every known name. */
const CONTESTED_SHOWN = 16

/** Programs that claim one name, in the order of their announcements. */
export type Claimants = [Wallet, ...Wallet[]]

export type Arranged = { rows: Wallet[]; contested: Claimants[] }

/**
 * Arranges a group of wallets in the order of their announcements. Known wallets come first, so that others cannot push them out of
 * sight, and possible fakes come last. Programs that claim the same name share one row.
 */
export function arrange(
  members: readonly Wallet[],
  warnings: ReadonlyMap<string, WalletWarning>,
  recentId: string | null,
): Arranged {
  const rank = ({ id, rdns, presence }: Wallet) => {
    if (id === recentId) return 0
    if (presence !== 'ready') return 4
    if (rdns && isKnownRdns(rdns)) return 1
    return warnings.has(id) ? 3 : 2
  }
  const byName = new Map<string, Claimants>()
  for (const wallet of members) {
    const { rdns } = wallet
    if (!isContested(wallet) || rdns === undefined) continue
    const claimants = byName.get(rdns)
    if (claimants) claimants.push(wallet)
    else byName.set(rdns, [wallet])
  }
  const rankOfName = (claimants: Claimants) => {
    if (claimants.some(({ id }) => id === recentId)) return 0
    return isKnownRdns(claimants[0].rdns ?? '') ? 1 : 2
  }
  return {
    rows: members.filter((wallet) => !isContested(wallet)).toSorted((one, other) => rank(one) - rank(other)),
    contested: [...byName.values()].toSorted((one, other) => rankOfName(one) - rankOfName(other)),
  }
}

/** Cuts a group to what is shown at once, and counts the entries that are left out. */
export function cutToShown({ rows, contested }: Arranged): Arranged & { hidden: number } {
  const shown = { rows: rows.slice(0, SHOWN), contested: contested.slice(0, CONTESTED_SHOWN) }
  const hidden = rows.length - shown.rows.length + contested.length - shown.contested.length
  return { ...shown, hidden }
}
