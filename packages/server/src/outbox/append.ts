import type { LiveEvent } from '@countersign/contract'
import type pg from 'pg'
import { toBytes } from '../db/columns.ts'
import { CHANNEL, type SessionEnded } from '../live/notify.ts'
import { type Entry, eventOf } from './entry.ts'

/**
 * A write's account of itself. It is appended to the activity log and sent to live streams, in the same transaction.
 */
export type Log = {
  /** The time of the write. */
  now: Date
  /** Whether the Safe of this write was not stored here before it. */
  isNewSafe: boolean
  /** Appends an entry, and tells live streams what it is about. */
  add: (entry: Entry) => void
  /** Tells live streams of a change that has no entry. */
  notify: (event: LiveEvent | SessionEnded) => void
}

/** A log, and what was said in it so far. */
export type LogDraft = { log: Log; entries: Entry[]; events: Set<string> }

export function newLog(now: Date): LogDraft {
  const entries: Entry[] = []
  const events = new Set<string>()
  const notify = (event: LiveEvent | SessionEnded) => void events.add(JSON.stringify(event))
  const add = (entry: Entry) => {
    entries.push(entry)
    const event = eventOf(entry)
    if (event) notify(event)
  }
  return { log: { now, isNewSafe: false, add, notify }, entries, events }
}

/**
 * The statement that appends and notifies, however much it is; null when there is nothing to say. The log locks each Safe
 * until the transaction ends: this statement is the last one, and takes the Safes in one order.
 */
export function appending({ log, entries, events }: LogDraft): pg.QueryConfig | null {
  if (entries.length === 0 && events.size === 0) return null
  const sorted = entries.toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const list = <item>(read: (entry: Entry) => item) => sorted.map(read)
  return {
    name: 'append-to-log',
    text: `with logged as (
      insert into activity (at, account, verb, chain_id, safe_address, safe_tx_hash, detail, reviewed)
      select $1::timestamptz, account, verb, chain_id, safe_address, safe_tx_hash, detail::jsonb, reviewed::jsonb
      from unnest($2::bytea[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[], $7::text[],
        $8::text[]) with ordinality
        as entry (account, verb, chain_id, safe_address, safe_tx_hash, detail, reviewed, place) order by place
    )
    select pg_notify($9, event) from unnest($10::text[]) as event`,
    values: [
      log.now,
      list(({ account }) => account && toBytes(account)),
      list(({ verb }) => verb),
      list(({ chainId }) => chainId),
      list(({ safeAddress }) => safeAddress && toBytes(safeAddress)),
      list(({ safeTxHash }) => safeTxHash && toBytes(safeTxHash)),
      list(detailOf),
      list(({ reviewed }) => (reviewed ? JSON.stringify(reviewed) : null)),
      CHANNEL,
      [...events],
    ],
  }
}

function detailOf({ safeMessageHash, detail }: Entry): string | null {
  if (!safeMessageHash && !detail) return null
  return JSON.stringify({ ...(safeMessageHash ? { safeMessageHash } : {}), ...detail })
}

function placeOf({ chainId, safeAddress }: Entry): string {
  return `${chainId} ${safeAddress ?? ''}`
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
