import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { type Hex, zeroHash } from 'viem'
import { lowerCaseOf } from '../db/columns.ts'
import { chainHeader, safe } from '../db/schema.ts'
import { unavailable } from '../rpc/clients.ts'
import { type Block, readBlock, readBlocks } from '../rpc/logs.ts'
import { patient } from '../rpc/patient.ts'
import { createAskAt } from '../rpc/state-at.ts'
import { backfill, discover, findOrigins, isAnyBehind, join, type Whose } from './backfill.ts'
import {
  addCreated,
  assertUnmoved,
  type FollowedChain,
  type FollowerOptions,
  saveCreated,
  timeOf,
} from './followed-chain.ts'
import type { Lease } from './lease.ts'
import type { Progress } from './progress.ts'
import { createRangeReader, type Reading } from './read/range.ts'
import { createThresholdReader } from './read/thresholds.ts'
import { createComparison } from './reconcile/comparison.ts'
import { createResolving } from './reconcile/resolve.ts'
import { readTouched, refreshStale, saveStates } from './refresh.ts'
import { rollBack } from './roll-back.ts'
import { applyFacts, type Cursor, findCursor, findHeader, WINDOW_BLOCKS, writeCursor } from './write/apply.ts'
import { createReadAheadSettler } from './write/read-ahead.ts'

/** The past is read for so long, and then what is new; there is no pause while any of it is left. */
const PAST_MS = 4_000
const REFRESH_STEPS = 10

/** Goes on from where the chain was followed to; each call brings it to the head, and says whether some of the past is left. */
export function createFollowing({
  chain: asked,
  db,
  clock,
  log,
  lease,
  progress,
  isStopped,
}: FollowerOptions & { lease: Lease; progress: Progress; isStopped: () => boolean }): () => Promise<boolean> {
  const chain = patient(asked, isStopped)
  const { chainId, startBlock = 0 } = chain.settings
  const { request } = chain
  const isWhole = chain.settings.index === 'whole-chain'
  /** Safes that are followed from the cursor on. */
  let known: Set<Hex> | null = null
  const readThreshold = createThresholdReader({ request, db, chainId })
  const comparing = { chain, db, clock, lease, askAt: createAskAt(request), readThreshold }
  const compare = createComparison(comparing)
  const resolve = createResolving(comparing)
  const settle = createReadAheadSettler({ chain, db, lease })
  const reader = createRangeReader({ chain, db })
  const followed = { chain, db, clock, log, lease, progress, reader, chainId, startBlock, isWhole }

  return async function follow() {
    const status = await chain.check()
    if (status !== 'ok') throw unavailable(chain.settings, status)
    // After a failure, or when blocks were lost, it is read anew.
    const safes = known ?? (await findFollowed(followed))
    known = null
    const head = await readBlock(request, 'latest')
    if (!head) return false
    await progress.saw(head)
    let cursor = await readStart(followed, head)
    if (!cursor) return false
    if (!(await isOnChain(followed, cursor, head))) {
      await rollBack(followed, cursor, head)
      return false
    }
    if (head.number < cursor.blockNumber) throw laggingNodeError(head, cursor)
    cursor = await goOn(followed, cursor, head, safes, isStopped)
    const isBehind = await readPast(followed, cursor, head, safes, isStopped)
    if (!isStopped()) await settle(cursor.blockNumber, head)
    for (let step = 0; step < REFRESH_STEPS && !isStopped(); step += 1)
      if (!(await refreshStale(followed, cursor))) break
    if (!isStopped()) await compare(cursor.blockNumber)
    if (!isStopped()) await resolve()
    known = safes
    return isBehind
  }
}

/** @returns whether some of it is left */
async function readPast(
  followed: FollowedChain,
  cursor: Cursor,
  head: Block,
  safes: Set<Hex>,
  isStopped: () => boolean,
): Promise<boolean> {
  const readOf = async (whose: Whose) =>
    (await findOrigins(followed, cursor, whose)) || (await backfill(followed, cursor, head, whose))
  await join(followed, cursor, safes)
  const end = performance.now() + PAST_MS
  while (!isStopped()) {
    if (performance.now() > end) return true
    const isAnyLeft = await isAnyBehind(followed)
    // A person waits for a Safe that was added; nobody does for what the chain is searched for.
    const isAny =
      (isAnyLeft && (await readOf('added'))) ||
      (await discover(followed, cursor, head, safes)) ||
      (isAnyLeft && (await readOf('all')))
    if (!isAny) return false
    await join(followed, cursor, safes)
  }
  return true
}

async function findFollowed(followed: FollowedChain): Promise<Set<Hex>> {
  const { chainId, db } = followed
  const rows = await db
    .select({ address: lowerCaseOf(safe.address) })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), or(isNull(safe.backfillBlock), isNotNull(safe.backfillTo))))
  return new Set(rows.map(({ address }) => address))
}

/** Headers that are kept of before the first block: few chains are reorganised by more. */
const STARTING_HEADERS = 32

/** Null while the chain's follower is stopped. The history of Safes that are added later is read from their start. */
async function readStart(followed: FollowedChain, head: Block): Promise<Cursor | null> {
  const { chain, chainId, db, lease, progress, isWhole } = followed
  const known = await findCursor(db, chainId)
  if (known) return known.stoppedAt ? null : known
  const start = { blockNumber: head.number, blockHash: head.hash }
  const before = Array.from({ length: STARTING_HEADERS }, (_, index) => head.number - 1 - index)
  // A node that has not all of them: the block before comes for nothing.
  const blocks = await readBlocks(
    chain.request,
    before.filter((number) => number >= 0),
  ).catch(() => new Map([[head.number - 1, { hash: head.parentHash }]]))
  const headers = [...blocks].map(([blockNumber, { hash: blockHash }]) => ({ blockNumber, blockHash }))
  await lease.write(async (tx) => {
    await writeCursor(tx, chainId, { ...start, blockTime: timeOf(head), isWhole })
    await tx
      .insert(chainHeader)
      // A reorganisation of the very first ones finds a block to go back to.
      .values([start, ...headers].map((block) => ({ chainId, ...block })))
      .onConflictDoNothing()
  })
  progress.publish()
  return start
}

async function isOnChain(followed: FollowedChain, cursor: Cursor, head: Block): Promise<boolean> {
  const { chain, chainId, db } = followed
  if (cursor.blockHash === zeroHash) return true
  if (cursor.blockNumber > head.number) {
    // The devnet has one node, which forgets blocks at a person's word. Any other lags, unless its headers say otherwise.
    if (chain.settings.isDevnet) return false
    const kept = await findHeader(db, chainId, head.number)
    return kept === null || kept === head.hash
  }
  if (cursor.blockNumber === head.number) return head.hash === cursor.blockHash
  // A node that does not know a block below its head lags: that says nothing of the chain.
  const blocks = await readBlocks(chain.request, [cursor.blockNumber])
  return blocks.get(cursor.blockNumber)?.hash === cursor.blockHash
}

/** Reads and writes range after range. While one is written, the next is read, but for blocks that may be replaced. */
async function goOn(
  followed: FollowedChain,
  start: Cursor,
  head: Block,
  safes: Set<Hex>,
  isStopped: () => boolean,
): Promise<Cursor> {
  const { progress, isWhole, reader } = followed
  const readAfter = (cursor: Cursor, written?: Promise<void>): Promise<Reading> =>
    reader.read({ safes, isWhole, from: cursor.blockNumber + 1, upTo: head.number, head, before: cursor, written })
  let cursor = start
  let reading: Promise<Reading> | null = null
  try {
    while (cursor.blockNumber < head.number && !isStopped()) {
      const read: Reading = await (reading ?? readAfter(cursor))
      const next = { blockNumber: read.last.number, blockHash: read.last.hash }
      const written = write(followed, cursor, head, read)
      // Safes that were created in a range are looked for in the next.
      const isAhead = read.created.length === 0 && next.blockNumber < head.number - WINDOW_BLOCKS
      reading = isAhead ? readAfter(next, written) : null
      // Its failure is told once it is waited for.
      reading?.catch(() => {})
      await written
      progress.publish()
      addCreated(safes, read.created)
      cursor = next
    }
    return cursor
  } finally {
    // Readings do not overlap.
    await reading?.catch(() => {})
  }
}

async function write(
  followed: FollowedChain,
  cursor: Cursor,
  head: Block,
  { facts, created, last }: Reading,
): Promise<void> {
  const { chainId, lease, isWhole } = followed
  const next = { blockNumber: last.number, blockHash: last.hash }
  const states = last.number === head.number ? await readTouched(followed, facts, last.number) : new Map()
  await lease.write(async (tx, log) => {
    await assertUnmoved(followed, tx, cursor)
    await saveCreated(followed, tx, created, null)
    await applyFacts(tx, log, facts)
    if (states.size > 0) await saveStates(followed, tx, log, states)
    await writeCursor(tx, chainId, { ...next, blockTime: timeOf(last), isWhole })
  })
}

function laggingNodeError(head: Block, cursor: Cursor): CountersignError {
  return fail('RPC_ERROR', { reason: 'behind', head: head.number, blockNumber: cursor.blockNumber })
}
