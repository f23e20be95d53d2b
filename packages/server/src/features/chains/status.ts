import type { ChainStatus } from '@countersign/contract'
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Deps } from '../../context.ts'
import { chainCursor, chainFollower, safe } from '../../db/schema.ts'
import { readNodeLimits } from './node-limits.ts'

/** How far each chain is followed, by whatever process: all of it is in the database. */
export async function readChainStatus({ db, chains }: Pick<Deps, 'db' | 'chains'>): Promise<ChainStatus[]> {
  const [cursors, followers, limits, behind] = await Promise.all([
    db.select().from(chainCursor),
    db.select().from(chainFollower),
    readNodeLimits(db),
    db
      .select({
        chainId: safe.chainId,
        safes: sql<number>`count(*)::integer`,
        firstBlock: sql<number>`min(${safe.backfillBlock})::float8`,
        lastBlock: sql<
          number | null
        >`case when bool_or(${safe.backfillTo} is null) then null else max(${safe.backfillTo}) end::float8`,
      })
      .from(safe)
      .where(and(isNotNull(safe.backfillBlock), isNull(safe.backfillStoppedAt)))
      .groupBy(safe.chainId),
  ])
  const find = <row extends { chainId: number }>(rows: readonly row[], chainId: number) =>
    rows.find((row) => row.chainId === chainId) ?? null

  return [...chains.values()].map((chain) => {
    const { settings, status } = chain
    const { chainId, index, startBlock = 0, blockSeconds } = settings
    const cursor = find(cursors, chainId)
    const follower = find(followers, chainId)
    const head = headOf(follower)
    const rest = find(behind, chainId)
    return {
      chainId,
      node: status,
      index,
      // Below the first block when all of the devnet's was lost.
      cursor:
        cursor && cursor.blockNumber >= 0
          ? { blockNumber: cursor.blockNumber, time: cursor.blockTime?.toISOString() ?? null }
          : null,
      head: head && {
        blockNumber: head.blockNumber,
        time: head.time.toISOString(),
        readAt: head.readAt.toISOString(),
      },
      lag: cursor && head && lagOf(cursor, head, blockSeconds),
      backfill: rest && backfillOf(rest, cursor?.blockNumber ?? -1, follower?.backfillRate ?? null),
      ofNamedTokens:
        follower?.namedTokensFrom == null
          ? null
          : { from: follower.namedTokensFrom, to: follower.namedTokensTo ?? follower.namedTokensFrom },
      discovery: index === 'whole-chain' ? discoveryOf(cursor, startBlock) : null,
      stoppedAt: cursor?.stoppedAt?.toISOString() ?? null,
      ...failureOf(follower),
      nodes: chain.limits().map(({ name }) => ({
        name,
        limits: limits
          .filter((one) => one.chainId === chainId && one.node === name)
          .map(({ kind, value, words, learnedAt }) => ({ kind, value, words, learnedAt: learnedAt.toISOString() })),
      })),
    }
  })
}

type Cursor = typeof chainCursor.$inferSelect

function lagOf(
  cursor: Cursor,
  head: NonNullable<ReturnType<typeof headOf>>,
  blockSeconds: number | undefined,
): NonNullable<ChainStatus['lag']> {
  const blocks = head.blockNumber - cursor.blockNumber
  const seconds = cursor.blockTime ? secondsBetween(cursor.blockTime, head.time) : secondsOf(blocks, blockSeconds)
  return { blocks: Math.max(0, blocks), seconds }
}

/** Blocks in which Safes are still to be discovered; null when there are none. */
function discoveryOf(cursor: Cursor | null, startBlock: number): ChainStatus['discovery'] {
  const { blockNumber, discoveredBlock } = cursor ?? { blockNumber: -1, discoveredBlock: null }
  const blocksTotal = Math.max(0, blockNumber - startBlock + 1)
  const blocksLeft = Math.min(blocksTotal, Math.max(0, blockNumber - (discoveredBlock ?? startBlock - 1)))
  return blocksLeft > 0 ? { blocksLeft, blocksTotal } : null
}

/** The past is read downwards, of all Safes together: the blocks are those between the lowest and the highest. */
function backfillOf(
  { safes, firstBlock, lastBlock }: { safes: number; firstBlock: number; lastBlock: number | null },
  cursor: number,
  blocksPerSecond: number | null,
): NonNullable<ChainStatus['backfill']> {
  const blocks = (last: number) => Math.max(0, last - firstBlock + 1)
  return { safes, blocksLeft: blocks(lastBlock ?? cursor), blocksTotal: blocks(cursor), blocksPerSecond }
}

type Follower = typeof chainFollower.$inferSelect

function headOf(follower: Follower | null) {
  if (follower?.headBlock == null || !follower.headTime || !follower.headReadAt) return null
  return { blockNumber: follower.headBlock, time: follower.headTime, readAt: follower.headReadAt }
}

function failureOf(follower: Follower | null): Pick<ChainStatus, 'failure' | 'disagreement'> {
  if (!follower?.failureCode || !follower.failingSince) return { failure: null, disagreement: null }
  const { failureCode: code, disagreeingHosts: hosts, disagreedBlock: blockNumber } = follower
  const since = follower.failingSince.toISOString()
  return {
    failure: { code, since },
    disagreement: hosts && blockNumber !== null ? { since, blockNumber, hosts } : null,
  }
}

/** Seconds that so many blocks take by what is known of the chain; null where nothing is. */
function secondsOf(blocks: number, blockSeconds: number | undefined): number | null {
  return blockSeconds === undefined ? null : Math.round(Math.max(0, blocks) * blockSeconds)
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
}
