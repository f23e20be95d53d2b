import { and, eq, lt } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Deps } from '../context.ts'
import { session } from '../db/schema.ts'

/** Writing the time of every request would make every read a write. A short idle limit needs it more often. */
const TOUCH_MILLISECONDS = 300_000
const TOUCHES_PER_IDLE_LIMIT = 10

export type FoundSession = typeof session.$inferSelect & { isExpired: boolean }

/** The session of a cookie, ended or not; null when there never was one, or it was signed out. */
export async function findSession(
  { db, clock, sessionLimits }: Pick<Deps, 'db' | 'clock' | 'sessionLimits'>,
  tokenHash: Hex,
): Promise<FoundSession | null> {
  const [row] = await db.select().from(session).where(eq(session.tokenHash, tokenHash))
  if (!row) return null
  const now = clock()
  const idleEnd = row.lastSeenAt.getTime() + sessionLimits.idleMilliseconds
  const isExpired = now >= row.expiresAt || now.getTime() >= idleEnd
  const touchAfter = Math.min(TOUCH_MILLISECONDS, sessionLimits.idleMilliseconds / TOUCHES_PER_IDLE_LIMIT)
  if (!isExpired && now.getTime() - row.lastSeenAt.getTime() > touchAfter)
    await db
      .update(session)
      .set({ lastSeenAt: now })
      .where(and(eq(session.tokenHash, tokenHash), lt(session.lastSeenAt, now)))
  return { ...row, isExpired }
}
