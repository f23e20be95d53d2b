import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Executor } from '../db/client.ts'
import { chainCursor, safe } from '../db/schema.ts'
import { type Block, lowerCase } from '../rpc/logs.ts'
import { addCreated, assertSameChain, assertUnmoved, type FollowedChain, saveCreated } from './followed-chain.ts'
import { readTouched, saveStates } from './refresh.ts'
import { applyFacts, type Cursor, findCursor } from './write/apply.ts'

const BACKFILL_SAFES = 2_000

/**
 * Looks for Safes that were created before the whole chain was followed. Their history up to the end of the range comes
 * along, the rest is backfilled. @returns whether there was anything to do.
 */
export async function discover(followed: FollowedChain, cursor: Cursor, head: Block, done: Set<Hex>): Promise<boolean> {
  const { chainId, db, startBlock, isWhole, lease, progress, reader } = followed
  if (!isWhole) return false
  const from = ((await findCursor(db, chainId))?.discoveredBlock ?? startBlock - 1) + 1
  if (from > cursor.blockNumber) {
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

/** Reads the history of Safes that were added, up to where the cursor is. @returns whether there was anything to do. */
export async function backfill(followed: FollowedChain, cursor: Cursor, head: Block, done: Set<Hex>): Promise<boolean> {
  const { chainId, db, lease, progress, reader } = followed
  const [first, second] = await db
    .selectDistinct({ block: safe.backfillBlock })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), isNotNull(safe.backfillBlock)))
    .orderBy(safe.backfillBlock)
    .limit(2)
  if (!first || first.block === null) return false
  // Those who are behind catch up with the next ones, and go on together with them.
  const upTo = Math.min(cursor.blockNumber, (second?.block ?? Number.POSITIVE_INFINITY) - 1)
  const rows = await db
    .select({ address: safe.address })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), eq(safe.backfillBlock, first.block)))
    .limit(BACKFILL_SAFES)
  const addresses = rows.map(({ address }) => address)
  const safes = new Set(addresses.map(lowerCase))
  const mark = (tx: Executor, readTo: number) =>
    tx
      .update(safe)
      .set({ backfillBlock: readTo < cursor.blockNumber ? readTo + 1 : null })
      .where(and(eq(safe.chainId, chainId), inArray(safe.address, addresses)))
  let readTo = first.block - 1
  if (readTo >= cursor.blockNumber) await lease.write((tx) => mark(tx, readTo))
  else {
    const { facts, last } = await reader.read({
      safes,
      isWhole: false,
      from: first.block,
      upTo,
      head,
      before: null,
    })
    readTo = last.number
    const states = readTo >= cursor.blockNumber ? await readTouched(followed, facts, cursor.blockNumber) : new Map()
    await lease.write(async (tx, log) => {
      await assertUnmoved(followed, tx, cursor)
      await assertSameChain(followed, tx, facts.headers)
      await applyFacts(tx, log, { ...facts, headers: [] })
      if (states.size > 0) await saveStates(followed, tx, log, states)
      await mark(tx, readTo)
    })
  }
  progress.publish()
  if (readTo >= cursor.blockNumber) for (const safe of safes) done.add(safe)
  return true
}
