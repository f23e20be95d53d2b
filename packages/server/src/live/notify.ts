import type { LiveEvent } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Executor } from '../db/client.ts'

export const CHANNEL = 'countersign'

/** Tells every process what changed. Inside a database transaction it is told on commit, and never on rollback. */
export async function notify(db: Executor, event: LiveEvent): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`)
}

/** The same of many, in one statement. */
export async function notifyAll(db: Executor, events: readonly LiveEvent[]): Promise<void> {
  if (events.length === 0) return
  const texts = sql.param(events.map((event) => JSON.stringify(event)))
  await db.execute(sql`select pg_notify(${CHANNEL}, text) from unnest(${texts}::text[]) as text`)
}

/** Among the processes alone: no browser is told. */
export const sessionEnded = z.object({ kind: z.literal('session-ended'), sessionId: z.string() })

/** Makes every process end the live streams of these sessions or API tokens, once this transaction holds. */
export async function notifySessionsEnded(db: Executor, sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) {
    const ended: z.infer<typeof sessionEnded> = { kind: 'session-ended', sessionId }
    await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(ended)})`)
  }
}
