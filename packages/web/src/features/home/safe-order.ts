import type { Safe } from '@countersign/contract'
import { waitingIn } from '../../safe/safe.ts'

const STORED = 'countersign.my-safes'

export const orders = ['waiting', 'name', 'newest'] as const

/** How a person arranged My Safes in this browser: the order, and those that are folded away. */
export type SafeOrder = { order: (typeof orders)[number]; hidden: readonly string[] }

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** More are forgotten. */
const MAX_HIDDEN = 500

export function readSafeOrder(storage: Storage): SafeOrder {
  try {
    const { order, hidden } = JSON.parse(storage.getItem(STORED) ?? '{}') as Partial<Record<keyof SafeOrder, unknown>>
    return {
      order: orders.find((known) => known === order) ?? 'waiting',
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string').slice(-MAX_HIDDEN) : [],
    }
  } catch {
    return { order: 'waiting', hidden: [] }
  }
}

export function storeSafeOrder(storage: Storage, order: SafeOrder): void {
  storage.setItem(STORED, JSON.stringify({ ...order, hidden: order.hidden.slice(-MAX_HIDDEN) }))
}

export function idOf({ chainId, address }: Pick<Safe, 'chainId' | 'address'>): string {
  return `${chainId}:${address.toLowerCase()}`
}

/**
 * Arranges the Safes. One in which something waits for the reader is never folded away: hiding a Safe must not hide what
 * somebody wants signed.
 */
export function arrangeSafes(
  safes: readonly Safe[],
  { order, hidden }: SafeOrder,
  nameOf: (safe: Safe) => string,
): { shown: Safe[]; hidden: Safe[] } {
  const byName = (one: Safe, other: Safe) => {
    const [name, otherName] = [nameOf(one), nameOf(other)]
    // Without a name at the end.
    if ((name === '') !== (otherName === '')) return name === '' ? 1 : -1
    return name.localeCompare(otherName) || idOf(one).localeCompare(idOf(other))
  }
  const compare = {
    waiting: (one: Safe, other: Safe) => waitingIn(other) - waitingIn(one) || byName(one, other),
    name: byName,
    newest: (one: Safe, other: Safe) => Date.parse(other.addedAt) - Date.parse(one.addedAt) || byName(one, other),
  }[order]
  const isHidden = (safe: Safe) => waitingIn(safe) === 0 && hidden.includes(idOf(safe))
  const sorted = safes.toSorted(compare)
  return { shown: sorted.filter((safe) => !isHidden(safe)), hidden: sorted.filter(isHidden) }
}
