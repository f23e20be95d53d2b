import type { SafeState } from '@countersign/safe-core'
import { and, desc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { zeroHash } from 'viem'
import type { Database, Executor } from '../db/client.ts'
import { multisigTransaction, safe } from '../db/schema.ts'
import { describeError } from '../describe-error.ts'
import type { Chain } from './clients.ts'
import { isExecution, readExecution } from './executions.ts'
import { type Block, readBlock, readEthereumTransaction, readSafeLogs } from './logs.ts'
import {
  type Cursor,
  markBackfilled,
  readCursor,
  recordExecuted,
  recordSafe,
  safesReadAbove,
  takeBack,
  writeCursor,
} from './record.ts'

const LOCK_SPACE = 4_100_002
const LOCAL_POLL_MILLISECONDS = 400
const POLL_MILLISECONDS = 4_000
const FIRST_RANGE = 5_000
const LARGEST_RANGE = 50_000
/** How far a reorganisation is taken to reach at least; further back is found by block hashes. */
const REORGANISATION_BLOCKS = 64
const BACKFILL_STEPS = 10
const BACKFILL_SAFES = 100

type Options = {
  chain: Chain
  db: Database
  databaseUrl: string
  clock: () => Date
  log: Logger
  pollMilliseconds?: number | undefined
}

/**
 * Follows a chain: executions of the Safes kept here and changes of their owners and settings, also those made
 * outside. One process at a time follows a chain; it goes on where the last one stopped.
 */
export function startWatcher(options: Options): { stop: () => Promise<void> } {
  const { chain, log } = options
  const url = chain.settings.rpcUrls[0] ?? ''
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(url)
  const wait = options.pollMilliseconds ?? (isLocal ? LOCAL_POLL_MILLISECONDS : POLL_MILLISECONDS)
  const lock = createLock(options)
  const follow = createFollower(options)
  let isStopped = false
  let wake = () => {}

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopped) {
      try {
        if (await lock.hold()) await follow()
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 1)
          log.warn({ chainId: chain.settings.chainId, err: describeError(error) }, 'watcher failed, goes on')
      }
      if (isStopped) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(wait * 2 ** Math.min(failures, 4), 10_000))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await lock.release()
  }

  const finished = run()
  return {
    stop() {
      isStopped = true
      wake()
      return finished
    },
  }
}

/** A lock of the database that lives as long as its connection: when the process dies, another one gets it. */
function createLock({ chain, databaseUrl }: Options) {
  let client: pg.Client | null = null
  return {
    async hold(): Promise<boolean> {
      if (client) return true
      const next = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true })
      next.on('error', () => {
        client = null
      })
      next.on('end', () => {
        client = null
      })
      await next.connect()
      const { rows } = await next.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashint8($2)) as held', [
        LOCK_SPACE,
        chain.settings.chainId,
      ])
      if (rows[0]?.held) client = next
      else await next.end()
      return client !== null
    },
    async release() {
      await client?.end().catch(() => {})
    },
  }
}

function createFollower({ chain, db, clock, log }: Options): () => Promise<void> {
  const { chainId } = chain.settings
  let range = FIRST_RANGE

  return async function follow() {
    if ((await chain.check()) !== 'ok') return
    const head = await readBlock(chain.request, 'latest')
    if (!head) return
    let cursor = await readCursor(db, chainId)
    if (!cursor) {
      cursor = { blockNumber: head.number, blockHash: head.hash }
      await writeCursor(db, chainId, cursor)
    }
    if (!(await isOnChain(cursor, head))) cursor = await rollBack(cursor, head)
    while (cursor.blockNumber < head.number) cursor = await goOn(cursor, head)
    for (let step = 0; step < BACKFILL_STEPS; step += 1) if (!(await backfill(cursor))) break
  }

  async function isOnChain(cursor: Cursor, head: Block): Promise<boolean> {
    if (cursor.blockNumber < 0) return true
    if (cursor.blockNumber > head.number) return false
    const block = cursor.blockNumber === head.number ? head : await readBlock(chain.request, cursor.blockNumber)
    return block?.hash === cursor.blockHash
  }

  async function goOn(cursor: Cursor, head: Block): Promise<Cursor> {
    const rows = await db
      .select({ address: safe.address })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), isNull(safe.backfillBlock)))
    const addresses = rows.map(({ address }) => address)
    const from = cursor.blockNumber + 1
    const to = addresses.length === 0 ? head.number : Math.min(head.number, cursor.blockNumber + range)
    const last = to === head.number ? head : await readBlock(chain.request, to)
    if (!last) throw new Error(`The node has no block ${to}`)
    const next = { blockNumber: to, blockHash: last.hash }
    await scan(addresses, from, to, (tx) => writeCursor(tx, chainId, next))
    return next
  }

  /** Reads the history of Safes that were added, up to where the cursor is. @returns whether there was anything to do. */
  async function backfill(cursor: Cursor): Promise<boolean> {
    const [first] = await db
      .select({ block: safe.backfillBlock })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), isNotNull(safe.backfillBlock)))
      .orderBy(safe.backfillBlock)
      .limit(1)
    if (!first || first.block === null) return false
    const rows = await db
      .select({ address: safe.address })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), eq(safe.backfillBlock, first.block)))
      .limit(BACKFILL_SAFES)
    const addresses = rows.map(({ address }) => address)
    const to = Math.min(cursor.blockNumber, first.block + range - 1)
    const next = to >= cursor.blockNumber ? null : to + 1
    if (first.block > to) await markBackfilled(db, chainId, addresses, null)
    else await scan(addresses, first.block, to, (tx) => markBackfilled(tx, chainId, addresses, next))
    return true
  }

  async function scan(
    addresses: Address[],
    from: number,
    to: number,
    advance: (tx: Executor) => Promise<void>,
  ): Promise<void> {
    const logs = await readSafeLogs(chain.request, addresses, from, to).catch((error) => {
      // Nodes limit ranges or answers, each in its own words.
      range = Math.max(1, Math.floor(range / 2))
      throw error
    })
    range = Math.min(LARGEST_RANGE, range * 2)
    const states = await readStates([...new Set(logs.map(({ address }) => address))])
    const blocks = new Map<number, Promise<Block | null>>()
    const found = await Promise.all(
      logs.filter(isExecution).map(async (one) => {
        const state = states.get(one.address)
        if (!state) return null
        const pendingBlock = blocks.get(one.blockNumber) ?? readBlock(chain.request, one.blockNumber)
        blocks.set(one.blockNumber, pendingBlock)
        const [block, call] = await Promise.all([
          pendingBlock,
          readEthereumTransaction(chain.request, one.transactionHash),
        ])
        // The chain moved on while it was read: the next round sees it.
        if (!block || block.hash !== one.blockHash)
          throw new Error(`Block ${one.blockNumber} changed while it was read`)
        const execution = await readExecution(chain.request, { log: one, logs, state, call })
        return { state, execution, block, executor: call?.from ?? null }
      }),
    )
    const now = clock()
    await db.transaction(async (tx) => {
      for (const one of found) if (one) await recordExecuted(tx, one.state, { ...one, now })
      for (const state of states.values()) await recordSafe(tx, state, now)
      await advance(tx)
    })
  }

  async function readStates(addresses: Address[]): Promise<Map<Address, SafeState>> {
    const states = new Map<Address, SafeState>()
    for (const address of addresses) {
      const state = await chain.readSafe(address).catch((error) => {
        // It was a Safe when it was added; now its code answers otherwise. What is known of it stays.
        if (error instanceof Error && 'code' in error && error.code === 'NOT_A_SAFE') return null
        throw error
      })
      if (state) states.set(address, state)
    }
    return states
  }

  async function rollBack(cursor: Cursor, head: Block): Promise<Cursor> {
    let point = Math.min(cursor.blockNumber, head.number) - REORGANISATION_BLOCKS
    for (;;) {
      const [newest] = await db
        .select({ blockNumber: multisigTransaction.blockNumber, blockHash: multisigTransaction.blockHash })
        .from(multisigTransaction)
        .where(
          and(
            eq(multisigTransaction.chainId, chainId),
            eq(multisigTransaction.isExecuted, true),
            lte(multisigTransaction.blockNumber, point),
          ),
        )
        .orderBy(desc(multisigTransaction.blockNumber))
        .limit(1)
      if (!newest || newest.blockNumber === null) break
      if ((await readBlock(chain.request, newest.blockNumber))?.hash === newest.blockHash) break
      point = newest.blockNumber - 1
    }
    point = Math.max(-1, point)
    const last = point < 0 ? null : await readBlock(chain.request, point)
    const next = { blockNumber: point, blockHash: last?.hash ?? zeroHash }
    const states = await readStates(await safesReadAbove(db, chainId, point))
    const now = clock()
    await db.transaction(async (tx) => {
      await takeBack(tx, chainId, point, now)
      for (const state of states.values()) await recordSafe(tx, state, now, true)
      await writeCursor(tx, chainId, next)
    })
    log.warn({ chainId, from: cursor.blockNumber, to: point }, 'the chain was reorganised, rolled back')
    return next
  }
}
