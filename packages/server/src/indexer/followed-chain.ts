import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { Database, Executor } from '../db/client.ts'
import { chainCursor } from '../db/schema.ts'
import type { Chain } from '../rpc/clients.ts'
import { type Block, changed } from '../rpc/logs.ts'
import { saveFound } from '../safes/save-safe.ts'
import { blockTime } from './block-time.ts'
import type { Lease } from './lease.ts'
import type { Progress } from './progress.ts'
import type { NewSafe } from './read/creations.ts'
import type { RangeReader } from './read/range.ts'
import { type Cursor, type Facts, findHeaders } from './write/apply.ts'

export type FollowerOptions = {
  chain: Chain
  db: Database
  databaseUrl: string
  clock: () => Date
  log: Logger
  pollMilliseconds?: number | undefined
}

/** Parts that every step of following a chain works with. */
export type FollowedChain = Pick<FollowerOptions, 'chain' | 'db' | 'clock' | 'log'> & {
  lease: Lease
  progress: Progress
  reader: RangeReader
  chainId: number
  startBlock: number
  /** Whether Safes are looked for on the whole chain. */
  isWhole: boolean
}

/** Another process took over while this one read: what it wrote since must not be written over. */
export async function assertUnmoved(
  followed: FollowedChain,
  tx: Executor,
  { blockNumber, blockHash }: Cursor,
): Promise<void> {
  const { chainId } = followed
  const [row] = await tx.select().from(chainCursor).where(eq(chainCursor.chainId, chainId)).for('update')
  if (row?.blockNumber !== blockNumber || row.blockHash !== blockHash || row.stoppedAt) throw changed(blockNumber)
}

/** Rows already written for other Safes belong to the same blocks; if not, the chain was reorganised just now. */
export async function assertSameChain(followed: FollowedChain, tx: Executor, headers: Facts['headers']): Promise<void> {
  const { chainId } = followed
  const hashes = await findHeaders(tx, chainId)
  for (const { blockNumber, blockHash } of headers)
    if ((hashes.get(blockNumber) ?? blockHash) !== blockHash) throw changed(blockNumber)
}

/** Stores Safes whose creation a range tells of. `rest`: where the history of those created in the range goes on. */
export async function saveCreated(
  { chainId, startBlock, clock }: FollowedChain,
  tx: Executor,
  created: readonly NewSafe[],
  rest: number | null,
): Promise<void> {
  // The whole history of an older Safe is missing.
  const found = created.map((safe) => {
    const isOlder = safe.createdBlock === null
    return { ...safe, backfillBlock: isOlder ? startBlock : rest, origin: isOlder ? null : ('event' as const) }
  })
  await saveFound(tx, chainId, found, clock())
}

/** Adds the Safes that were created in a range to those whose history is complete. */
export function addCreated(safes: Set<Hex>, created: readonly NewSafe[]): void {
  for (const { address, createdBlock } of created) if (createdBlock !== null) safes.add(address)
}

export function timeOf({ timestamp }: Block): Date {
  return blockTime(timestamp)
}
