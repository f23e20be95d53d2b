import { and, gt, inArray, isNull, or } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { SessionLimits } from '../config/sessions.ts'
import type { Database } from '../db/client.ts'
import { session } from '../db/schema.ts'
import { apiToken } from '../db/team-schema.ts'
import { isWarranted } from '../warrants/standing.ts'

/** Finds the sessions and API tokens among these ids that have not ended. */
export async function findLivingCredentials(
  db: Database,
  ids: readonly string[],
  now: Date,
  { idleMilliseconds }: SessionLimits,
): Promise<Set<string>> {
  const seenSince = new Date(now.getTime() - idleMilliseconds)
  const isKept = or(isNull(apiToken.expiresAt), gt(apiToken.expiresAt, now))
  const rows = await unionAll(
    db
      .select({ id: session.id })
      .from(session)
      .where(
        and(
          inArray(session.id, ids),
          gt(session.expiresAt, now),
          gt(session.lastSeenAt, seenSince),
          isWarranted(session.warrantId),
        ),
      ),
    db
      .select({ id: apiToken.id })
      .from(apiToken)
      .where(and(inArray(apiToken.id, ids), isKept, isWarranted(apiToken.warrantId))),
  )
  return new Set(rows.map(({ id }) => id))
}
