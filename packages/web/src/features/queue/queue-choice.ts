import type { Standing } from './queue-row.tsx'

/** Most that is searched for. */
const MAX_TYPED = 100

/** Part of the queue that is shown. It stands in the address of the page, so that a link shows the same. */
export type QueueChoice = { q: string; show: 'all' | 'mine' | 'ready' }

/** Standing of the rows that a choice shows. */
export const standingShown = { mine: 'waits', ready: 'ready' } as const satisfies Record<string, Standing>

/** Reads the choice from the address of the page. Whatever is none is left out. */
export function parseQueueChoice({ q, show }: Readonly<Record<string, unknown>>): Partial<QueueChoice> {
  // A nonce that is typed alone comes as a number.
  const typed = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, MAX_TYPED) : ''
  return {
    ...(typed === '' ? {} : { q: typed }),
    ...(show === 'mine' || show === 'ready' ? { show } : {}),
  }
}
