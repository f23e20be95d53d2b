import { and, desc, eq, inArray, isNotNull, isNull, lte, max, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { chainCursor, chainFollower, safe } from '../db/schema.ts'
import { type Block, lowerCase } from '../rpc/logs.ts'
import { addCreated, assertSameChain, assertUnmoved, type FollowedChain, saveCreated } from './followed-chain.ts'
import { findOrigin } from './origin.ts'
import { readTouched, saveStates } from './refresh.ts'
import { applyFacts, type Cursor, findCursor, findHeader } from './write/apply.ts'

const BACKFILL_SAFES = 2_000
const ORIGINS_AT_ONCE = 50
/** Safes that somebody here added, who may be waiting for their history; or all. */
export type Whose = 'added' | 'all'

/**
 * Whether some of the past of a Safe is to be read; in the words of the index, without which all Safes are looked through.
 */
function isBehind(chainId: number, whose: Whose): SQL | undefined {
  return and(
    eq(safe.chainId, chainId),
    isNotNull(safe.backfillBlock),
    isNotNull(safe.backfillTo),
    isNull(safe.backfillStoppedAt),
    whose === 'added' ? isNotNull(safe.addedBy) : undefined,
  )
}

/** Whether some of the past of any Safe is to be read: mostly none is. */
export async function isAnyBehind({ chainId, db }: FollowedChain): Promise<boolean> {
  const rows = await db.select({ address: safe.address }).from(safe).where(isBehind(chainId, 'all')).limit(1)
  return rows.length > 0
}

/**
 * Looks for Safes that were created before the whole chain was followed. Their history up to the end of the range comes
 * along, the rest is backfilled. @returns whether there was anything to do.
 */
export async function discover(followed: FollowedChain, cursor: Cursor, head: Block, done: Set<Hex>): Promise<boolean> {
  const { chainId, db, startBlock, isWhole, lease, progress, reader } = followed
  if (!isWhole) return false
  const discovered = (await findCursor(db, chainId))?.discoveredBlock ?? null
  const from = (discovered ?? startBlock - 1) + 1
  if (from > cursor.blockNumber) {
    if (discovered === null)
      await lease.write((tx) =>
        tx
          .update(chainCursor)
          .set({ discoveredBlock: cursor.blockNumber })
          .where(and(eq(chainCursor.chainId, chainId), isNull(chainCursor.discoveredBlock))),
      )
    return false
  }
  const range = { safes: new Set<Hex>(), isWhole, from, upTo: cursor.blockNumber, head, before: null }
  const { facts, created, last } = await reader.read(range)
  const isAtCursor = last.number >= cursor.blockNumber
  const rest = isAtCursor ? null : last.number + 1
  await lease.write(async (tx, log) => {
    await assertUnmoved(followed, tx, cursor)
    await assertSameChain(followed, tx, facts.headers)
    await saveCreated(followed, tx, created, rest)
    await applyFacts(tx, log, { ...facts, headers: [] })
    await tx.update(chainCursor).set({ discoveredBlock: last.number }).where(eq(chainCursor.chainId, chainId))
  })
  progress.publish()
  if (isAtCursor) addCreated(done, created)
  return true
}

/**
 * Follows Safes that were added from the cursor on: what is before it is read downwards, the newest first. One that was read
 * from the chain after the cursor waits until the cursor is there.
 */
export async function join(followed: FollowedChain, cursor: Cursor, done: Set<Hex>): Promise<void> {
  const { chainId, db, lease } = followed
  const isNew = and(
    eq(safe.chainId, chainId),
    isNotNull(safe.backfillBlock),
    isNull(safe.backfillTo),
    lte(safe.blockNumber, cursor.blockNumber),
  )
  const [some] = await db.select({ address: safe.address }).from(safe).where(isNew).limit(1)
  if (!some) return
  const isRead = sql`${safe.backfillBlock} > ${cursor.blockNumber}`
  const rows = await lease.write(async (tx) => {
    await assertUnmoved(followed, tx, cursor)
    return tx
      .update(safe)
      .set({
        backfillTo: sql`case when ${isRead} then null else ${cursor.blockNumber}::bigint end`,
        backfillBlock: sql`case when ${isRead} then null else ${safe.backfillBlock} end`,
        // It may have changed between its last reading and the cursor.
        isStale: true,
      })
      .where(isNew)
      .returning({ address: safe.address })
  })
  for (const { address } of rows) done.add(lowerCase(address))
}

/**
 * Finds where the histories begin that are to be read next; nothing before that is read. @returns whether there were any
 */
export async function findOrigins(followed: FollowedChain, cursor: Cursor, whose: Whose): Promise<boolean> {
  const { chain, chainId, db, lease } = followed
  // Those that were added last come first: the others would have it wait for all of theirs.
  const highest = db
    .select({ block: max(safe.backfillTo) })
    .from(safe)
    .where(isBehind(chainId, whose))
  const rows = await db
    .select({ address: safe.address, first: safe.backfillBlock, last: safe.backfillTo })
    .from(safe)
    .where(and(isBehind(chainId, whose), isNull(safe.origin), eq(safe.backfillTo, highest)))
    .limit(ORIGINS_AT_ONCE)
  if (rows.length === 0) return false
  const found = await Promise.all(
    rows.map(async ({ address, first, last }) => {
      const span = { first: first ?? 0, last: last ?? cursor.blockNumber }
      // Without code of it nothing tells where to begin: all of it is read.
      const origin = (await findOrigin(chain, lowerCase(address), span)) ?? { block: span.first, by: 'configured' }
      return { address, ...origin }
    }),
  )
  const which = sql`unnest(${sql.param(found.map(({ address }) => toBytes(address)))}::bytea[],
    ${sql.param(found.map(({ block }) => block))}::bigint[], ${sql.param(found.map(({ by }) => by))}::text[])
    as found (address, block, origin)`
  const begin = sql`greatest(backfill_block, found.block)`
  await lease.write(async (tx) => {
    await assertUnmoved(followed, tx, cursor)
    await tx.execute(sql`
      update safe set origin = found.origin,
        backfill_to = case when ${begin} <= backfill_to then backfill_to end,
        backfill_block = case when ${begin} <= backfill_to then ${begin} end
      from ${which}
      where safe.chain_id = ${chainId} and safe.address = found.address and backfill_to is not null`)
  })
  return true
}

/**
 * Reads a range of the history of Safes that were added: of those whose unread past ends highest. They are read on together
 * with the others from where those end. @returns whether there was anything to do
 */
export async function backfill(followed: FollowedChain, cursor: Cursor, head: Block, whose: Whose): Promise<boolean> {
  const { chainId, db, lease, progress, reader } = followed
  const [first, second] = await db
    .selectDistinct({ block: safe.backfillTo })
    .from(safe)
    .where(isBehind(chainId, whose))
    .orderBy(desc(safe.backfillTo))
    .limit(2)
  if (!first || first.block === null) return false
  const rows = await db
    .select({ address: safe.address, lowest: safe.backfillBlock })
    .from(safe)
    .where(and(isBehind(chainId, whose), eq(safe.backfillTo, first.block)))
    .limit(BACKFILL_SAFES)
  const addresses = rows.map(({ address }) => address)
  const upTo = Math.min(first.block, cursor.blockNumber)
  const lowest = Math.min(...rows.map((row) => row.lowest ?? 0))
  const after = upTo < cursor.blockNumber ? await findHeader(db, chainId, upTo + 1) : null
  const started = performance.now()
  const { facts, from } = await reader.read({
    safes: new Set(addresses.map(lowerCase)),
    isWhole: false,
    isBackward: true,
    from: Math.min(upTo, Math.max(lowest, (second?.block ?? -1) + 1)),
    upTo,
    head,
    before: null,
    after: after && { blockNumber: upTo + 1, blockHash: after },
  })
  // Only blocks that the followed ones rest on are kept, to go back to when the chain is reorganised.
  const headers = after || upTo === cursor.blockNumber ? facts.headers : []
  const seconds = (performance.now() - started) / 1000
  const states = upTo === cursor.blockNumber ? await readTouched(followed, facts, upTo) : new Map()
  await lease.write(async (tx, log) => {
    await assertUnmoved(followed, tx, cursor)
    await assertSameChain(followed, tx, facts.headers)
    await applyFacts(tx, log, { ...facts, headers })
    if (states.size > 0) await saveStates(followed, tx, log, states)
    const isLeft = sql`${safe.backfillBlock} < ${from}`
    await tx
      .update(safe)
      .set({
        backfillTo: sql`case when ${isLeft} then ${from - 1}::bigint end`,
        backfillBlock: sql`case when ${isLeft} then ${safe.backfillBlock} end`,
      })
      .where(and(eq(safe.chainId, chainId), inArray(safe.address, addresses)))
    await fillThresholds(
      tx,
      chainId,
      rows.flatMap((row) => ((row.lowest ?? 0) >= from ? [row.address] : [])),
    )
    await tx
      .update(chainFollower)
      .set({ backfillRate: rateOf(upTo - from + 1, seconds) })
      .where(eq(chainFollower.chainId, chainId))
  })
  progress.publish()
  return true
}

/** The mean of what was measured before and now: one range says little. */
function rateOf(blocks: number, seconds: number): SQL {
  const now = sql`${blocks / Math.max(seconds, 0.001)}::float8`
  return sql`coalesce(0.8 * ${chainFollower.backfillRate} + 0.2 * ${now}, ${now})`
}

/**
 * A node without old state does not tell how many confirmations an execution needed, and the change of the threshold before
 * it is read after it: once all of a history is there, it tells.
 */
async function fillThresholds(tx: Executor, chainId: number, addresses: readonly Address[]): Promise<void> {
  if (addresses.length === 0) return
  const list = sql.param(addresses.map(toBytes))
  // Where the threshold changed in the very block, its order with the execution is what was not known.
  await tx.execute(sql`
    update multisig_transaction t set executed_confirmations = (
      select h.threshold from history_entry h
      where h.chain_id = t.chain_id and h.safe_address = t.safe_address and h.kind in ('created', 'threshold-changed')
        and h.threshold > 0 and h.block_number < t.block_number
      order by h.block_number desc, h.log_index desc, h.part desc limit 1)
    where t.chain_id = ${chainId} and t.safe_address = any(${list}::bytea[]) and t.is_executed
      and t.executed_confirmations is null and not exists (
        select from history_entry h where h.chain_id = t.chain_id and h.safe_address = t.safe_address
          and h.block_number = t.block_number and h.kind in ('created', 'threshold-changed'))`)
}
