import { desc } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { lockUntilCommit } from '../db/lock-until-commit.ts'
import { outboxEpoch } from '../db/schema.ts'
import { transaction } from '../db/transaction.ts'

/**
 * Begins a new epoch of the activity log where the database was restored into another PostgreSQL cluster: ids of
 * transactions begin anew there, and what was written before is older than all that comes.
 */
export async function keepEpoch(db: Database): Promise<void> {
  await transaction(db, async (tx) => {
    await lockUntilCommit(tx, 'outbox epoch')
    const { rows } = await tx.execute<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    const systemIdentifier = rows[0]?.id ?? ''
    const [last] = await tx.select().from(outboxEpoch).orderBy(desc(outboxEpoch.epoch)).limit(1)
    if (last?.systemIdentifier === systemIdentifier) return
    await tx.insert(outboxEpoch).values({ epoch: last ? last.epoch + 1 : 0, systemIdentifier })
  })
}
