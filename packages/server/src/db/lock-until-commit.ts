import { sql } from 'drizzle-orm'
import type { Executor } from './client.ts'
import { plannedStatement } from './planned-statement.ts'

const lock = plannedStatement(
  'lock-until-commit',
  sql`select pg_advisory_xact_lock(hashtextextended(${sql.placeholder('what')}, 0))`,
)

/** Waits until nobody else does the same, and keeps them waiting until the transaction ends: many at once all find room. */
export async function lockUntilCommit(tx: Executor, what: string): Promise<void> {
  await lock(tx, { what })
}
