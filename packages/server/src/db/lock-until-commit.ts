import { sql } from 'drizzle-orm'
import type { Executor } from './client.ts'

/** Waits until nobody else does the same, and keeps them waiting until the transaction ends: many at once all find room. */
export async function lockUntilCommit(tx: Executor, what: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`)
}
