import type { ChainStatus } from '@countersign/contract'
import { isNotNull, sql } from 'drizzle-orm'
import type { Deps } from '../../context.ts'
import { chainCursor, chainFollower, safe } from '../../db/schema.ts'

/** How far each chain is followed, by whatever process: all of it is in the database. */
export async function readChainStatus({ db, chains }: Pick<Deps, 'db' | 'chains'>): Promise<ChainStatus[]> {
  const [cursors, followers, behind] = await Promise.all([
    db.select().from(chainCursor),
    db.select().from(chainFollower),
    db
      .select({
        chainId: safe.chainId,
        safes: sql<number>`count(*)::integer`,
        firstBlock: sql<number>`min(${safe.backfillBlock})::float8`,
      })
      .from(safe)
      .where(isNotNull(safe.backfillBlock))
      .groupBy(safe.chainId),
  ])
  const of = <row extends { chainId: number }>(rows: readonly row[], chainId: number) =>
    rows.find((row) => row.chainId === chainId) ?? null

  return [...chains.values()].map(({ settings, status }) => {
    const { chainId, index, startBlock = 0 } = settings
    const cursor = of(cursors, chainId)
    const follower = of(followers, chainId)
    const head = headOf(follower)
    const rest = of(behind, chainId)
    const blocksTotal = Math.max(0, (cursor?.blockNumber ?? -1) - startBlock + 1)
    const left = (next: number) => Math.min(blocksTotal, Math.max(0, (cursor?.blockNumber ?? -1) - next + 1))
    const toDiscover = index === 'whole-chain' ? left((cursor?.discoveredBlock ?? startBlock - 1) + 1) : 0
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
      lag:
        cursor && head
          ? {
              blocks: Math.max(0, head.blockNumber - cursor.blockNumber),
              seconds: cursor.blockTime && secondsBetween(cursor.blockTime, head.time),
            }
          : null,
      backfill: rest && { safes: rest.safes, blocksLeft: left(rest.firstBlock), blocksTotal },
      discovery: toDiscover > 0 ? { blocksLeft: toDiscover, blocksTotal } : null,
      stoppedAt: cursor?.stoppedAt?.toISOString() ?? null,
      ...failureOf(follower),
    }
  })
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

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
}
