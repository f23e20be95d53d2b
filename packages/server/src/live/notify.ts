import type { LiveEvent } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Executor } from '../db/client.ts'

export const CHANNEL = 'countersign'

/** Tells every process what changed. Inside a database transaction it is told on commit, and never on rollback. */
export async function notify(db: Executor, event: LiveEvent): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`)
}

/** Among the processes alone: no browser is told. */
export const sessionEnded = z.object({ kind: z.literal('session-ended'), sessionId: z.string() })
export type SessionEnded = z.infer<typeof sessionEnded>
