import { type Input, type listBalanceChanges, MAX_BALANCE_POINTS, type Reply } from '@countersign/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { chainCursor, safe } from '../../db/schema.ts'

type Row = {
  change: string
  has_unexplained: boolean
  changes: string
  change_since: string
  points: { block: number; time: number; after: string; isUnexplained: boolean }[]
}

/**
 * How a balance changed, counted back from the block that the history reaches: the sums are right whatever came before
 * the history begins. More blocks than can be shown are thinned here, so that the answer stays small.
 */
export async function findBalanceChanges(
  db: Executor,
  { chainId, safeAddress, token, since }: Input<typeof listBalanceChanges>,
): Promise<Reply<typeof listBalanceChanges>> {
  const blockNumber = await findEnd(db, chainId, safeAddress)
  if (blockNumber === null)
    return { blockNumber, change: 0n, hasUnexplained: false, changes: 0, changeSince: 0n, points: [] }
  const which =
    token === 'native' ? sql`token_kind = 'native'` : sql`token_kind = 'erc20' and token = ${toBytes(token)}`
  const isShown = since ? sql`block_time >= ${since}::timestamptz` : sql`true`
  const { rows } = await db.execute<Row>(sql`
    with change as materialized (
      select block_number, min(block_time) as block_time,
        sum(case when kind in ('transfer-in', 'unexplained-in') then amount else -amount end) as change,
        bool_or(kind in ('unexplained-in', 'unexplained-out')) as is_unexplained
      from history_entry
      where chain_id = ${chainId} and safe_address = ${toBytes(safeAddress)} and block_number <= ${blockNumber}
        and kind in ('transfer-in', 'transfer-out', 'unexplained-in', 'unexplained-out') and ${which}
      group by block_number
    ), whole as (
      select coalesce(sum(change), 0) as change, coalesce(bool_or(is_unexplained), false) as has_unexplained,
        count(*) filter (where ${isShown}) as changes, coalesce(sum(change) filter (where ${isShown}), 0) as change_since,
        extract(epoch from min(block_time) filter (where ${isShown}))::float8 as first,
        extract(epoch from max(block_time) filter (where ${isShown}))::float8 as last
      from change
    ), part as (
      select max(block_number) as block, max(block_time) as time, sum(change.change) as change,
        bool_or(is_unexplained) as is_unexplained
      from change, whole
      where ${isShown}
      -- Few are shown one by one; of many, all of one span of time are one.
      group by case when changes <= ${MAX_BALANCE_POINTS} or first = last then block_number
        else least(floor((extract(epoch from block_time)::float8 - first) / (last - first) * ${MAX_BALANCE_POINTS}),
          ${MAX_BALANCE_POINTS - 1}) end
    ), point as (
      select block, (extract(epoch from time) * 1000)::bigint as time, is_unexplained,
        (sum(change) over (order by block desc) - change)::text as after
      from part order by block desc limit ${MAX_BALANCE_POINTS}
    )
    select change::text as change, has_unexplained, changes::text as changes, change_since::text as change_since,
      (select coalesce(json_agg(json_build_object('block', block, 'time', time, 'after', after,
        'isUnexplained', is_unexplained) order by block), '[]') from point) as points
    from whole`)
  const [found] = rows
  return {
    blockNumber,
    change: BigInt(found?.change ?? 0),
    hasUnexplained: found?.has_unexplained ?? false,
    changes: Number(found?.changes ?? 0),
    changeSince: BigInt(found?.change_since ?? 0),
    points: (found?.points ?? []).map(({ block, time, after, isUnexplained }) => ({
      blockNumber: block,
      blockTime: new Date(time).toISOString(),
      changeAfter: BigInt(after),
      isUnexplained,
    })),
  }
}

/** The block up to which the Safe's history is whole; null while it is not. */
async function findEnd(db: Executor, chainId: number, safeAddress: `0x${string}`): Promise<number | null> {
  const [row] = await db
    .select({ end: chainCursor.blockNumber, backfillBlock: safe.backfillBlock })
    .from(safe)
    .innerJoin(chainCursor, eq(chainCursor.chainId, safe.chainId))
    .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
  return row && row.backfillBlock === null && row.end >= 0 ? row.end : null
}
