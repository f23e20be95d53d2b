import type { LiveEvent } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'

export const CHANNEL = 'countersign'

/** Tells every process what changed. Inside a database transaction it is told on commit, and never on rollback. */
export async function notify(db: Executor, event: LiveEvent): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`)
}
