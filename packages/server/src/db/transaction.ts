import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Database, Executor } from './client.ts'

const executors = new WeakMap<pg.PoolClient, Executor>()

function executorOf(client: pg.PoolClient): Executor {
  const known = executors.get(client)
  if (known) return known
  const executor = drizzle(client)
  executors.set(client, executor)
  return executor
}

/**
 * A database transaction. `begin` travels with its first statement and `commit` with its last one, so that neither costs a
 * round trip.
 *
 * @param last a statement that the result does not need
 */
export async function transaction<result>(
  { $client: pool }: Database,
  work: (tx: Executor) => Promise<result>,
  last: () => pg.QueryConfig | null = () => null,
): Promise<result> {
  const client = await pool.connect()
  let lost: Error | undefined
  // When it fails, so does the first statement.
  client.query('begin').catch(() => {})
  try {
    const result = await work(executorOf(client))
    const statement = last()
    // After a failure PostgreSQL takes `commit` for `rollback`, so it need not wait.
    const [, { command }] = await Promise.all([statement && client.query(statement), client.query('commit')])
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered \`${command}\` to commit`)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      lost = failure
    })
    throw error
  } finally {
    // A connection that cannot roll back is not used again.
    client.release(lost)
  }
}
