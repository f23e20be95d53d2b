import type { SessionEnd } from '@countersign/contract'
import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Deps } from '../context.ts'
import { builtOnce } from '../db/built-once.ts'
import { session } from '../db/schema.ts'
import { isAllowedAccount } from '../safes/allowed.ts'
import { endedAt, suspendedSince } from '../warrants/standing.ts'

/** Writing the time of every request would make every read a write. A short idle limit needs it more often. */
const TOUCH_MS = 300_000
const TOUCHES_PER_IDLE_LIMIT = 10

/** `ended`: how it came to its end, if it has. */
export type FoundSession = typeof session.$inferSelect & { ended: SessionEnd | null }

/** Every request asks for it: planned once, by the index of what it is. */
const selectSession = builtOnce((db, name: 'session') =>
  db
    .select({
      ...getTableColumns(session),
      changedAt: endedAt(session.warrantId),
      suspendedAt: suspendedSince(session.warrantId),
    })
    .from(session)
    .where(eq(session.tokenHash, sql.param(sql.placeholder('tokenHash'), session.tokenHash)))
    .prepare(name),
)

/** The session of a cookie, ended or not; null when there never was one, or it was signed out. */
export async function findSession(
  { db, clock, sessionLimits, access }: Pick<Deps, 'db' | 'clock' | 'sessionLimits' | 'access'>,
  tokenHash: Hex,
): Promise<FoundSession | null> {
  const [found] = await selectSession(db, 'session').execute({ tokenHash })
  if (!found) return null
  const { changedAt: endOfWarrant, suspendedAt, ...row } = found
  // A session of a contract account is valid only with a warrant.
  const changedAt = row.provenBy === 'contract' && !row.warrantId ? row.createdAt : endOfWarrant
  const now = clock()
  const end = new Date(Math.min(row.expiresAt.getTime(), row.lastSeenAt.getTime() + sessionLimits.idleMilliseconds))
  const ended =
    endOf(row, { changedAt, suspendedAt, end: now >= end ? end : null }) ??
    ((await isAllowedAccount({ db, clock, access }, row.address))
      ? null
      : { reason: 'not-allowed' as const, at: now.toISOString() })
  const touchAfter = Math.min(TOUCH_MS, sessionLimits.idleMilliseconds / TOUCHES_PER_IDLE_LIMIT)
  if (!ended && now.getTime() - row.lastSeenAt.getTime() > touchAfter)
    await db
      .update(session)
      .set({ lastSeenAt: now })
      .where(and(eq(session.tokenHash, tokenHash), lt(session.lastSeenAt, now)))
  return { ...row, ended }
}

function endOf(
  { revokedAt, revokedBy }: Pick<typeof session.$inferSelect, 'revokedAt' | 'revokedBy'>,
  { changedAt, suspendedAt, end }: Record<'changedAt' | 'suspendedAt' | 'end', Date | null>,
): SessionEnd | null {
  if (revokedAt) return { reason: revokedBy ? 'revoked-by-owner' : 'revoked', at: revokedAt.toISOString() }
  if (changedAt) return { reason: 'owners-changed', at: changedAt.toISOString() }
  if (end) return { reason: 'expired', at: end.toISOString() }
  return suspendedAt && { reason: 'suspended', at: suspendedAt.toISOString() }
}
