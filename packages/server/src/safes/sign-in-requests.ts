import { and, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { waitingSignIn as table } from '../db/schema.ts'
import { safeMessage } from '../db/team-schema.ts'

/** Servers that share a database may have clocks that differ by this. */
const CLOCK_SECONDS = 120

/** Whether a sign-in as a Safe waits for signatures that owners make here; others are signed where the wallet put them. */
export function waitsForOwnersHere(now: Date): SQL | undefined {
  return and(
    isNull(table.spentAt),
    gt(table.expiresAt, now),
    isNotNull(table.pending),
    sql`${table.pending} ->> 'messageHash' is null and ${table.pending} ->> 'safeTxHash' is null`,
  )
}

/**
 * The message of the Safe that a sign-in is since an owner signed it. Found by its content, which is as it came: one that
 * somebody wrote another way is listed twice. Nobody can have signed it before it was asked for.
 */
export const signedAs = sql<Hex | null>`(
  select m.message_hash from ${safeMessage} m
  where m.chain_id = ${table.chainId} and m.safe_address = ${table.address}
    and m.submission_date >= ${table.issuedAt} - interval '${sql.raw(String(CLOCK_SECONDS))} seconds' and m.content = to_json(${table.message})::text
  order by m.submission_date limit 1
)`
