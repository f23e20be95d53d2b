import { randomUUID } from 'node:crypto'
import type { ActivityVerb } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import type { Database, Executor } from '../db/client.ts'
import { decodeAddress } from '../db/columns.ts'
import { toLogEntry } from '../to-log-entry.ts'
import type { Log } from './append.ts'
import { createPause } from './pause.ts'
import { writeLogged } from './write.ts'

const LEASE_SECONDS = 10
const ENTRIES = 200
/** Nothing is to be read; what is there is not committed yet, or not to be read yet; another process reads. */
const IDLE_MS = 2_000
/** Between two steps, so that what many write at once is read together and not entry by entry. */
const GATHER_MS = 100
const SOON_MS = 50
const MAX_PAUSE_MS = 30_000
const HELD_BACK_MS = 60_000

/** One entry of the activity log, as readers get it. */
export type LogEntry = {
  id: bigint
  at: Date
  account: Address | null
  verb: ActivityVerb
  chainId: number
  safeAddress: Address | null
  safeTxHash: Hex | null
  detail: Record<string, string> | null
  /** Unique in the log of its Safe, also after a backup was restored. */
  hash: Hex | null
}

/** Handles entries in the transaction that moves the cursor: all of it takes place, or none. */
export type Handle = (tx: Executor, entries: readonly LogEntry[], log: Log) => Promise<void>

/** How one step went. */
export type Step = { kind: 'by another' } | { kind: 'read'; count: number; heldBackSince: Date | null }

/** Makes the cursor of a reader. It begins with what is written from now on. */
export async function keepReader(db: Database, name: string): Promise<void> {
  await db.execute(sql`
    insert into outbox_reader (name, epoch, tx_id, entry_id)
    select ${name}, coalesce((select max(epoch) from outbox_epoch), 0),
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0
    on conflict do nothing`)
}

/**
 * Reads the next entries and moves the cursor. One process at a time holds the lease of a reader; another takes it over
 * some seconds after it was last renewed.
 *
 * Ids are given before the commit, so what has a lower id may become visible later. Each entry names its transaction, and
 * is read when all transactions up to that one have ended.
 */
export function findNext(
  deps: { db: Database; clock: () => Date },
  name: string,
  holder: string,
  handle: Handle,
): Promise<Step> {
  return writeLogged(deps, async (tx, log) => {
    const { rows: held } = await tx.execute<{ epoch: number; tx_id: string; entry_id: string }>(sql`
      update outbox_reader set holder = ${holder}, held_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where name = (select name from outbox_reader where name = ${name}
          and (holder is null or holder = ${holder} or held_until < now()) for update skip locked)
      returning epoch, tx_id::text, entry_id::text`)
    const [cursor] = held
    if (!cursor) return { kind: 'by another' }
    const isAfter = sql`(epoch, tx_id, id) > (${cursor.epoch}, ${cursor.tx_id}::bigint, ${cursor.entry_id}::bigint)`
    const { rows } = await tx.execute<Row>(sql`
      select epoch, tx_id::text, id::text, at, account, verb, chain_id::text, safe_address, safe_tx_hash, detail, hash,
        epoch < (select max(epoch) from outbox_epoch)
          or tx_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is_settled
      from activity
      -- By the columns: the same names above are texts, where 1000 comes before 999.
      where ${isAfter} order by activity.epoch, activity.tx_id, activity.id limit ${ENTRIES}`)
    const first = rows.findIndex(({ is_settled: isSettled }) => !isSettled)
    const settled = first < 0 ? rows : rows.slice(0, first)
    const last = settled.at(-1)
    if (last) {
      await handle(tx, settled.map(toEntry), log)
      await tx.execute(sql`
        update outbox_reader set epoch = ${last.epoch}, tx_id = ${last.tx_id}::bigint, entry_id = ${last.id}::bigint
        where name = ${name}`)
    }
    const heldBackSince = first < 0 ? null : new Date(rows[first]?.at ?? log.now)
    return { kind: 'read', count: settled.length, heldBackSince }
  })
}

/** Gives the lease back, so that another process need not wait for its end. */
export async function releaseReader(db: Database, name: string, holder: string): Promise<void> {
  await db.execute(sql`update outbox_reader set held_until = now() where name = ${name} and holder = ${holder}`)
}

/** Reads on until it is stopped. `wake`: something was written. */
export function startReader({
  db,
  clock,
  log,
  name,
  handle,
  onRead = () => {},
}: {
  db: Database
  clock: () => Date
  log: Logger
  name: string
  handle: Handle
  /** After entries were handled, and that is committed. */
  onRead?: () => void
}): { wake: () => void; stop: () => Promise<void> } {
  const holder = randomUUID()
  const pause = createPause()

  async function run(): Promise<void> {
    let failures = 0
    let warnedAt = 0
    let isKept = false
    /** Steps that found what is not to be read yet. */
    let waits = 0
    while (!pause.isStopped()) {
      let wait = IDLE_MS
      let least = GATHER_MS
      try {
        if (!isKept) await keepReader(db, name)
        isKept = true
        const step = await findNext({ db, clock }, name, holder, handle)
        failures = 0
        const heldBackSince = step.kind === 'read' ? step.heldBackSince : null
        waits = heldBackSince ? waits + 1 : 0
        if (heldBackSince) wait = Math.min(SOON_MS * 2 ** Math.min(waits, 5), IDLE_MS)
        if (step.kind === 'read' && step.count > 0) {
          if (step.count === ENTRIES) least = wait = 0
          onRead()
        }
        const now = clock().getTime()
        if (heldBackSince && now - Math.max(heldBackSince.getTime(), warnedAt) > HELD_BACK_MS) {
          warnedAt = now
          log.warn({ reader: name, since: heldBackSince }, 'a long transaction of the cluster holds the log back')
        }
      } catch (error) {
        failures += 1
        if (failures === 1) log.warn({ reader: name, err: toLogEntry(error) }, 'reader of the log failed, goes on')
        wait = Math.min(IDLE_MS * 2 ** failures, MAX_PAUSE_MS)
        // Not at once because somebody writes: it may fail by what is read.
        least = IDLE_MS
      }
      await pause.rest(wait, least)
    }
    await releaseReader(db, name, holder).catch(() => {})
  }

  const finished = run()
  return {
    wake: pause.wake,
    stop() {
      pause.stop()
      return finished
    },
  }
}

type Row = {
  epoch: number
  tx_id: string
  id: string
  at: string | Date
  account: Hex | null
  verb: ActivityVerb
  chain_id: string
  safe_address: Hex | null
  safe_tx_hash: Hex | null
  detail: Record<string, string> | null
  hash: Hex | null
  is_settled: boolean
}

function toEntry({ id, at, account, verb, chain_id, safe_address, safe_tx_hash, detail, hash }: Row): LogEntry {
  return {
    id: BigInt(id),
    at: new Date(at),
    account: account && decodeAddress(account),
    verb,
    chainId: Number(chain_id),
    safeAddress: safe_address && decodeAddress(safe_address),
    safeTxHash: safe_tx_hash,
    detail,
    hash,
  }
}
