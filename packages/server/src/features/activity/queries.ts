import type { ActivityEntry, Input, listActivity, Reply } from '@countersign/contract'
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { activity } from '../../db/schema.ts'
import { isMemberOf } from '../../safes/roles.ts'

const DEFAULT_LIMIT = 50
/** Each may hold a report. */
const EXPORT_LIMIT = 200

const fields = {
  id: activity.id,
  at: activity.at,
  account: activity.account,
  verb: activity.verb,
  safeTxHash: activity.safeTxHash,
  detail: activity.detail,
  reviewed: activity.reviewed,
  hash: sql<Hex>`'0x' || encode(${activity.hash}, 'hex')`,
  previousHash: sql<Hex>`'0x' || encode(${activity.previousHash}, 'hex')`,
  hashed: sql<string>`activity_text(${activity})`,
}

/** Bytes of a report: it is told twice, the second time in the text that the hash covers. */
const weight = sql`coalesce(2 * octet_length(${activity.reviewed}::text), 0)`

/** Finds the activity of a Safe, newest first, for the team. */
export async function findActivity(
  ctx: SignedInCtx,
  { chainId, safeAddress, cursor, limit = DEFAULT_LIMIT }: Input<typeof listActivity>,
): Promise<Reply<typeof listActivity>> {
  const [before] = decodeKeyset(cursor, [/^\d{1,18}$/])
  const rows = await ctx.db
    .select({ ...fields, fits: fitsPage(weight, [sql`${activity.id} desc`]) })
    .from(activity)
    .where(and(isOf(ctx, chainId, safeAddress), cursor ? lt(activity.id, BigInt(before ?? 0)) : undefined))
    .orderBy(desc(activity.id))
    .limit(limit + 1)
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  const entries = rows.slice(0, shown).map(({ fits: _, ...row }) => toEntry(row))
  return { entries, nextCursor: last ? encodeKeyset([last.id]) : null }
}

/** All of it, oldest first, page by page. */
export async function* readActivity(
  ctx: SignedInCtx,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): AsyncGenerator<ActivityEntry[]> {
  for (let after = 0n; ; ) {
    const rows = await ctx.db
      .select(fields)
      .from(activity)
      .where(and(isOf(ctx, chainId, safeAddress), gt(activity.id, after)))
      .orderBy(asc(activity.id))
      .limit(EXPORT_LIMIT)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(toEntry)
    after = last.id
  }
}

function isOf(ctx: SignedInCtx, chainId: number, safeAddress: Address) {
  return and(eq(activity.chainId, chainId), eq(activity.safeAddress, safeAddress), isMemberOf(ctx, activity))
}

type Row = Omit<ActivityEntry, 'id' | 'at'> & { id: bigint; at: Date }

function toEntry({ id, at, ...rest }: Row): ActivityEntry {
  return { ...rest, id: id.toString(), at: at.toISOString() }
}
