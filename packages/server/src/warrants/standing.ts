import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { session, warrant } from '../db/schema.ts'

/*
 * A warrant stands while the owners who signed for it decide. It is suspended as long as anything read since says that
 * others do, and ended when that is certain.
 */

/** A reading that is this much older than one before tells that the one before was of blocks that are gone, or a lie. */
export const FINAL_BLOCKS = 128

/** Whether what a row rests on stands, as SQL: a row without a warrant rests on a key. */
export function isWarranted(warrantId: Column): SQL<boolean> {
  return sql<boolean>`(${warrantId} is null or warrant_stands(${warrantId}))`
}

/** Since when the warrant of a row is suspended; null: it is not. */
export function suspendedSince(warrantId: Column): SQL<Date | null> {
  return sql<Date | null>`case when ${warrantId} is not null then warrant_suspended_since(${warrantId}) end`.mapWith(
    session.createdAt,
  )
}

/** When the warrant of a row ended; null: it has not. */
export function endedAt(warrantId: Column): SQL<Date | null> {
  return sql<Date | null>`(select ${warrant.endedAt} from ${warrant} where ${warrant.id} = ${warrantId})`.mapWith(
    session.createdAt,
  )
}

/**
 * Writes down who decides for a Safe, as just read, for all that rests on it. An older reading replaces no newer one,
 * unless the chain went back.
 */
export async function noteAuthority(
  db: Executor,
  { chainId, safeAddress, ...seen }: { chainId: number; safeAddress: Address; authority: Hex; blockNumber: number },
  { now, isRollback = false }: { now: Date; isRollback?: boolean },
): Promise<void> {
  await db.execute(sql`
    update warrant_ground set seen_authority = ${toBytes(seen.authority)}, seen_block = ${seen.blockNumber},
      seen_at = ${now.toISOString()}::timestamptz
    where chain_id = ${chainId} and safe_address = ${toBytes(safeAddress)}
      and seen_authority <> ${toBytes(seen.authority)}
      and (${isRollback} or seen_block <= ${seen.blockNumber} or seen_block > ${seen.blockNumber + FINAL_BLOCKS})`)
}
