import { and, eq, lt } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Deps } from '../context.ts'
import { session } from '../db/schema.ts'

const IDLE_MILLISECONDS = 7 * 86_400_000
/** Writing the time of every request would make every read a write. */
const TOUCH_MILLISECONDS = 300_000

export type FoundSession = {
  tokenHash: Hex
  address: Address
  chainId: number
  createdAt: Date
  expiresAt: Date
  isExpired: boolean
}

/** The session of a cookie, ended or not; null when there never was one, or it was signed out. */
export async function findSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tokenHash: Hex,
): Promise<FoundSession | null> {
  const [row] = await db.select().from(session).where(eq(session.tokenHash, tokenHash))
  if (!row) return null
  const now = clock()
  const idleEnd = row.lastSeenAt.getTime() + IDLE_MILLISECONDS
  const isExpired = now >= row.expiresAt || now.getTime() >= idleEnd
  if (!isExpired && now.getTime() - row.lastSeenAt.getTime() > TOUCH_MILLISECONDS)
    await db
      .update(session)
      .set({ lastSeenAt: now })
      .where(and(eq(session.tokenHash, tokenHash), lt(session.lastSeenAt, now)))
  return { ...row, isExpired }
}
