import { lt } from 'drizzle-orm'
import type { Deps } from '../../context.ts'
import { session, signInNonce } from '../../db/schema.ts'

const DAY = 86_400_000
/** Ended sessions stay for a while, so that their browsers hear that they expired. */
const KEPT_DAYS = 30

export async function removeEndedSessions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock().getTime()
  await db.delete(signInNonce).where(lt(signInNonce.expiresAt, new Date(now - DAY)))
  await db.delete(session).where(lt(session.expiresAt, new Date(now - KEPT_DAYS * DAY)))
}
