import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { session, warrant } from '../db/schema.ts'

/*
 * A warrant is valid while the owners who signed for it control the account. It is suspended while a later reading shows other
 * owners, and ends when that is certain.
 */

/** If a reading is this much older than the one before, the earlier one was from replaced blocks or was false. */
export const FINAL_BLOCKS = 128

/** SQL condition: the warrant of a row is valid. A row without a warrant depends on a key and is valid too. */
export function isWarranted(warrantId: Column): SQL<boolean> {
  return sql<boolean>`(${warrantId} is null or warrant_stands(${warrantId}))`
}

/** Start of the suspension of a row's warrant. Null if it is not suspended. */
export function suspendedSince(warrantId: Column): SQL<Date | null> {
  return sql<Date | null>`case when ${warrantId} is not null then warrant_suspended_since(${warrantId}) end`.mapWith(
    session.createdAt,
  )
}

/** End of a row's warrant. Null if it has not ended. */
export function endedAt(warrantId: Column): SQL<Date | null> {
  return sql<Date | null>`(select ${warrant.endedAt} from ${warrant} where ${warrant.id} = ${warrantId})`.mapWith(
    session.createdAt,
  )
}

/**
 * Records the latest reading of a Safe for all warrants that depend on it. An older reading does not replace a newer one,
 * unless the chain was reorganised.
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
