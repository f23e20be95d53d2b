import { lt, sql } from 'drizzle-orm'
import type { Deps } from '../../context.ts'
import { session, signInNonce, waitingSignIn } from '../../db/schema.ts'

/** Messages stay for a while after their end, so that who comes with one hears why it is refused. */
const KEPT_MS = 600_000
/** Days for which ended sessions stay, for the same reason. */
const KEPT_DAYS = 30
const DAY = 86_400_000
/** Sessions of one account. The oldest beyond this end: nobody has that many browsers. */
export const MAX_SESSIONS = 100

export async function removeOldMessages({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const table of [signInNonce, waitingSignIn])
    await db.delete(table).where(lt(table.expiresAt, new Date(clock().getTime() - KEPT_MS)))
}

export async function removeEndedSessions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, new Date(clock().getTime() - KEPT_DAYS * DAY)))
  await db.execute(sql`
    delete from session where token_hash in (
      select token_hash from (
        select token_hash, row_number() over (partition by address order by created_at desc) as place from session
        where address in (select address from session group by address having count(*) > ${MAX_SESSIONS})
      ) as counted
      where place > ${MAX_SESSIONS}
    )`)
}
