import { CountersignError } from '@countersign/safe-core'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, zeroHash } from 'viem'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { chainCursor, chainHeader, safe } from '../db/schema.ts'
import { notify } from '../live/notify.ts'
import { unavailable } from '../rpc/clients.ts'
import { type Block, changed, lowerCase, readBlock, readBlocks } from '../rpc/logs.ts'
import { createAskAt } from '../rpc/state-at.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { saveFound, saveSafe } from '../safes/save-safe.ts'
import type { FollowerOptions } from './follower.ts'
import type { Lease } from './lease.ts'
import type { Progress } from './progress.ts'
import type { NewSafe } from './read/creations.ts'
import { createRangeReader } from './read/range.ts'
import { createThresholdReader } from './read/thresholds.ts'
import { createComparison } from './reconcile/comparison.ts'
import { createResolving } from './reconcile/resolve.ts'
import {
  applyFacts,
  type Cursor,
  type Facts,
  readCursor,
  readHeader,
  readHeaders,
  undoAbove,
  writeCursor,
} from './write/apply.ts'
import { createSettling } from './write/read-ahead.ts'

const BACKFILL_STEPS = 10
const BACKFILL_SAFES = 2_000
const REFRESH_STEPS = 10
const REFRESHED_SAFES = 100

/** Goes on from where the chain was followed to; each call brings it to the head. */
export function createFollowing({
  chain,
  db,
  clock,
  log,
  lease,
  progress,
  isStopped,
}: FollowerOptions & { lease: Lease; progress: Progress; isStopped: () => boolean }): () => Promise<void> {
  const { chainId, startBlock = 0 } = chain.settings
  const { request } = chain
  const isWhole = chain.settings.index === 'whole-chain'
  /** Safes whose history is complete up to the cursor. Only this process completes one. */
  let followed: Set<Hex> | null = null
  const readThreshold = createThresholdReader({ request, db, chainId })
  const comparing = { chain, db, clock, lease, askAt: createAskAt(request), readThreshold }
  const compare = createComparison(comparing)
  const resolve = createResolving(comparing)
  const settle = createSettling({ chain, db, clock, lease })
  const reader = createRangeReader({ chain, db })

  return async function follow() {
    const status = await chain.check()
    if (status !== 'ok') throw unavailable(chain.settings, status)
    // After a failure, or when blocks were lost, it is read anew.
    const safes = followed ?? (await readFollowed())
    followed = null
    const head = await readBlock(request, 'latest')
    if (!head) return
    await progress.saw(head)
    let cursor = await readStart(head)
    if (!cursor) return
    if (!(await isOnChain(cursor, head))) return rollBack(cursor, head)
    if (head.number < cursor.blockNumber) throw lags(head, cursor)
    while (cursor.blockNumber < head.number && !isStopped()) cursor = await goOn(cursor, head, safes)
    for (let step = 0; step < BACKFILL_STEPS && !isStopped(); step += 1)
      if (!(await discover(cursor, head, safes)) && !(await backfill(cursor, head, safes))) break
    if (!isStopped()) await settle(cursor.blockNumber, head)
    for (let step = 0; step < REFRESH_STEPS && !isStopped(); step += 1) if (!(await refreshStale(cursor))) break
    if (!isStopped()) await compare(cursor.blockNumber)
    if (!isStopped()) await resolve()
    followed = safes
  }

  async function readFollowed(): Promise<Set<Hex>> {
    const rows = await db
      .select({ address: safe.address })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), isNull(safe.backfillBlock)))
    return new Set(rows.map(({ address }) => lowerCase(address)))
  }

  /** Null while the chain's follower is stopped. The history of Safes that are added later is read from their start. */
  async function readStart(head: Block): Promise<Cursor | null> {
    const known = await readCursor(db, chainId)
    if (known) return known.stoppedAt ? null : known
    const start = { blockNumber: head.number, blockHash: head.hash }
    await lease.write(async (tx) => {
      await writeCursor(tx, chainId, { ...start, blockTime: timeOf(head), isWhole })
      await tx
        .insert(chainHeader)
        .values({ chainId, ...start })
        .onConflictDoNothing()
    })
    progress.tell()
    return start
  }

  async function isOnChain(cursor: Cursor, head: Block): Promise<boolean> {
    if (cursor.blockHash === zeroHash) return true
    if (cursor.blockNumber > head.number) {
      // The devnet has one node, which forgets blocks at a person's word. Any other lags, unless its headers say otherwise.
      if (chain.settings.isDevnet) return false
      const kept = await readHeader(db, chainId, head.number)
      return kept === null || kept === head.hash
    }
    if (cursor.blockNumber === head.number) return head.hash === cursor.blockHash
    // A node that does not know a block below its head lags: that says nothing of the chain.
    const blocks = await readBlocks(request, [cursor.blockNumber])
    return blocks.get(cursor.blockNumber)?.hash === cursor.blockHash
  }

  async function goOn(cursor: Cursor, head: Block, safes: Set<Hex>): Promise<Cursor> {
    const { facts, created, last } = await reader.read({
      safes,
      isWhole,
      from: cursor.blockNumber + 1,
      upTo: head.number,
      head,
      before: cursor,
    })
    const next = { blockNumber: last.number, blockHash: last.hash }
    const states = last.number === head.number ? await readTouched(facts, last.number) : new Map()
    await lease.write(async (tx) => {
      await assertUnmoved(tx, cursor)
      await saveFound(
        tx,
        chainId,
        created.map((one) => ({ ...one, backfillBlock: restOf(one, null) })),
        clock(),
      )
      await applyFacts(tx, facts, clock())
      if (states.size > 0) await saveStates(tx, states)
      await writeCursor(tx, chainId, { ...next, blockTime: timeOf(last), isWhole })
    })
    progress.tell()
    for (const { address, createdBlock } of created) if (createdBlock !== null) safes.add(address)
    return next
  }

  /** Where the history goes on, of a Safe whose creation was just read; of one that is older, all of it is missing. */
  function restOf({ createdBlock }: NewSafe, rest: number | null): number | null {
    return createdBlock === null ? startBlock : rest
  }

  /** Another process took over while this one read: what it wrote since must not be written over. */
  async function assertUnmoved(tx: Executor, { blockNumber, blockHash }: Cursor): Promise<void> {
    const [row] = await tx.select().from(chainCursor).where(eq(chainCursor.chainId, chainId)).for('update')
    if (row?.blockNumber !== blockNumber || row.blockHash !== blockHash || row.stoppedAt) throw changed(blockNumber)
  }

  /**
   * Looks for Safes that were created before the whole chain was followed. Their history up to the end of the range comes
   * along, the rest is backfilled. @returns whether there was anything to do.
   */
  async function discover(cursor: Cursor, head: Block, done: Set<Hex>): Promise<boolean> {
    if (!isWhole) return false
    const from = ((await readCursor(db, chainId))?.discoveredBlock ?? startBlock - 1) + 1
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
    await lease.write(async (tx) => {
      await assertUnmoved(tx, cursor)
      await assertSameChain(tx, facts.headers)
      await saveFound(
        tx,
        chainId,
        created.map((one) => ({ ...one, backfillBlock: restOf(one, rest) })),
        clock(),
      )
      await applyFacts(tx, { ...facts, headers: [] }, clock())
      await tx.update(chainCursor).set({ discoveredBlock: last.number }).where(eq(chainCursor.chainId, chainId))
    })
    progress.tell()
    if (isAtCursor) for (const { address, createdBlock } of created) if (createdBlock !== null) done.add(address)
    return true
  }

  /** Reads the history of Safes that were added, up to where the cursor is. @returns whether there was anything to do. */
  async function backfill(cursor: Cursor, head: Block, done: Set<Hex>): Promise<boolean> {
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
      const states = readTo >= cursor.blockNumber ? await readTouched(facts, cursor.blockNumber) : new Map()
      await lease.write(async (tx) => {
        await assertUnmoved(tx, cursor)
        await assertSameChain(tx, facts.headers)
        await applyFacts(tx, { ...facts, headers: [] }, clock())
        if (states.size > 0) await saveStates(tx, states)
        await mark(tx, readTo)
      })
    }
    progress.tell()
    if (readTo >= cursor.blockNumber) for (const one of safes) done.add(one)
    return true
  }

  /** What is written down of other Safes is of the same blocks; if not, the chain was reorganised just now. */
  async function assertSameChain(tx: Executor, headers: Facts['headers']): Promise<void> {
    const hashes = await readHeaders(tx, chainId)
    for (const { blockNumber, blockHash } of headers)
      if ((hashes.get(blockNumber) ?? blockHash) !== blockHash) throw changed(blockNumber)
  }

  /** Finds the newest block that is still on the chain and takes back what later ones said. */
  async function rollBack(cursor: Cursor, head: Block): Promise<void> {
    const kept = await readHeaders(db, chainId)
    const numbers = [...kept.keys()].filter((number) => number <= head.number).toSorted((one, other) => other - one)
    const blocks = await readBlocks(request, numbers)
    const fork = numbers.find((number) => blocks.get(number)?.hash === kept.get(number))
    // The devnet's chain is ours: when its file is gone, it begins again.
    if (fork === undefined && !chain.settings.isDevnet) return giveUp(cursor, kept)
    const next = { blockNumber: fork ?? -1, blockHash: (fork !== undefined && kept.get(fork)) || zeroHash }
    await lease.write(async (tx) => {
      await assertUnmoved(tx, cursor)
      await undoAbove(tx, chainId, next.blockNumber, clock())
      await writeCursor(tx, chainId, { ...next, blockTime: null, isWhole })
    })
    progress.tell()
    log.warn({ chainId, from: cursor.blockNumber, to: next.blockNumber }, 'the chain was reorganised, rolled back')
  }

  /**
   * Stops for good, where no node has any of the blocks that were followed. One of several may be on another branch, or lie:
   * another has to say the same.
   */
  async function giveUp(cursor: Cursor, kept: ReadonlyMap<number, Hex>): Promise<void> {
    const { rpcUrls, agreement = 1, name } = chain.settings
    const { blockNumber } = cursor
    const { having, lacking } = await chain.whoHas(new Map([...kept, [blockNumber, cursor.blockHash]]))
    if (having.length > 0) throw strays({ having, lacking, blockNumber })
    const count = new Set(rpcUrls).size
    const needed = Math.min(count, Math.max(2, agreement))
    if (lacking.length < needed)
      throw new CountersignError(
        'CHAIN_UNREACHABLE',
        `\`${lacking.length}\` of \`${count}\` nodes of \`${name}\` say that it was reorganised deeper than is undone; \`${needed}\` have to.`,
        { data: { chainId } },
      )
    log.error(
      { chainId, block: blockNumber },
      `reorganised too deep, no longer followed; start once with COUNTERSIGN_REBUILD=${chainId}:BLOCK to read it again from BLOCK on`,
    )
    await lease.write((tx) =>
      tx.update(chainCursor).set({ stoppedAt: clock() }).where(eq(chainCursor.chainId, chainId)),
    )
    progress.tell()
  }

  /** Reads Safes that logs were about, and were too many to be read at once. @returns whether there were any. */
  async function refreshStale(cursor: Cursor): Promise<boolean> {
    const rows = await db
      .select({ address: safe.address })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), safe.isStale))
      // In no order: those that cannot be read must not stand before all others for ever.
      .orderBy(sql`random()`)
      .limit(REFRESHED_SAFES)
    const addresses = rows.map(({ address }) => address)
    const states = await readStates(addresses, cursor.blockNumber)
    if (states.size > 0) await lease.write((tx) => saveStates(tx, states))
    return states.size > 0
  }

  /**
   * Null for what was a Safe when it was added and now answers otherwise: what is known of it stays. What cannot be read
   * is left out and stays marked: a contract that answers nothing must not keep the chain from being followed, and a node
   * that lags behind what is followed knows nothing of what it marks.
   */
  async function readStates(addresses: readonly Address[], after: number): Promise<Map<Address, SafeReading | null>> {
    const states = new Map<Address, SafeReading | null>()
    await Promise.all(
      addresses.map(async (address) => {
        try {
          states.set(address, await chain.readSafe(address, after))
        } catch (error) {
          if (error instanceof CountersignError && error.code === 'NOT_A_SAFE') states.set(address, null)
        }
      }),
    )
    return states
  }

  async function saveStates(tx: Executor, states: ReadonlyMap<Address, SafeReading | null>): Promise<void> {
    for (const [address, state] of states) {
      const isChanged = state && (await saveSafe(tx, state, { now: clock(), backfillBlock: 0, isRollback: true }))
      if (isChanged) await notify(tx, { kind: 'safe', chainId, safeAddress: address })
    }
    const addresses = sql.param([...states.keys()].map(toBytes))
    const blocks = sql.param([...states.values()].map((state) => state && Number(state.blockNumber)))
    const hashes = sql.param([...states.values()].map((state) => state && toBytes(state.blockHash)))
    await tx.execute(sql`
      update safe set is_stale = false, block_number = coalesce(read.number, block_number),
        block_hash = case when read.number is null then block_hash else read.hash end
      from unnest(${addresses}::bytea[], ${blocks}::bigint[], ${hashes}::bytea[]) as read (address, number, hash)
      where safe.chain_id = ${chainId} and safe.address = read.address`)
  }

  /** The history and what the Safe now is change together, unless there is too much to catch up with. */
  async function readTouched({ entries }: Facts, after: number): Promise<Map<Address, SafeReading | null>> {
    const touched = [...new Set(entries.map(({ safeAddress }) => getAddress(safeAddress)))]
    return touched.length <= REFRESHED_SAFES ? readStates(touched, after) : new Map()
  }
}

function lags(head: Block, cursor: Cursor): CountersignError {
  return new CountersignError(
    'RPC_ERROR',
    `The node is at block \`${head.number}\`, behind block \`${cursor.blockNumber}\` that was read already.`,
  )
}

function strays({
  having,
  lacking,
  blockNumber,
}: {
  having: string[]
  lacking: string[]
  blockNumber: number
}): CountersignError {
  const places = (hosts: string[]) => hosts.map((host) => `\`${host}\``).join(', ')
  return new CountersignError(
    'NODES_DISAGREE',
    `None of the blocks up to \`${blockNumber}\` is known to ${places(lacking)}; ${places(having)} has them, and is asked first.`,
    { data: { hosts: [...lacking, ...having], blockNumber } },
  )
}

function timeOf({ timestamp }: Block): Date {
  return new Date(timestamp * 1000)
}
