import { CountersignError } from '@countersign/safe'
import { and, eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { safe } from '../db/schema.ts'
import type { Log } from '../outbox/append.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { saveSafe } from '../safes/save-safe.ts'
import type { FollowedChain } from './followed-chain.ts'
import type { Cursor, Facts } from './write/apply.ts'

const REFRESHED_SAFES = 100

/** Reads Safes that logs were about, and were too many to be read at once. @returns whether there were any. */
export async function refreshStale(followed: FollowedChain, cursor: Cursor): Promise<boolean> {
  const { chainId, db, lease } = followed
  const rows = await db
    .select({ address: safe.address })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), safe.isStale))
    // In no order: those that cannot be read must not stand before all others for ever.
    .orderBy(sql`random()`)
    .limit(REFRESHED_SAFES)
  const addresses = rows.map(({ address }) => address)
  const states = await readStates(followed, addresses, cursor.blockNumber)
  if (states.size > 0) await lease.write((tx, log) => saveStates(followed, tx, log, states))
  return states.size > 0
}

/** The history and what the Safe now is change together, unless there is too much to catch up with. */
export async function readTouched(
  followed: FollowedChain,
  { entries }: Facts,
  after: number,
): Promise<Map<Address, SafeReading | null>> {
  const touched = [...new Set(entries.map(({ safeAddress }) => getAddress(safeAddress)))]
  return touched.length <= REFRESHED_SAFES ? readStates(followed, touched, after) : new Map()
}

export async function saveStates(
  { chainId }: FollowedChain,
  tx: Executor,
  log: Log,
  states: ReadonlyMap<Address, SafeReading | null>,
): Promise<void> {
  for (const [address, state] of states) {
    const outcome = state ? await saveSafe(tx, state, { now: log.now, backfillBlock: 0, isRollback: true }) : 'same'
    if (outcome !== 'same') log.notify({ kind: 'safe', chainId, safeAddress: address })
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

/**
 * Null for what was a Safe when it was added and now answers otherwise: what is known of it stays. What cannot be read
 * is left out and stays marked: a contract that answers nothing must not keep the chain from being followed, and a node
 * that lags behind what is followed knows nothing of what it marks.
 */
async function readStates(
  followed: FollowedChain,
  addresses: readonly Address[],
  after: number,
): Promise<Map<Address, SafeReading | null>> {
  const { chain } = followed
  const states = new Map<Address, SafeReading | null>()
  await Promise.all(
    addresses.map(async (address) => {
      try {
        states.set(address, await chain.readSafe(address, { notBefore: after }))
      } catch (error) {
        if (error instanceof CountersignError && error.code === 'NOT_A_SAFE') states.set(address, null)
      }
    }),
  )
  return states
}
