import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { limitConnectionWait } from './connection-wait.ts'
import { gatherWrites } from './gather-writes.ts'
import { newestMigration, withMigrationsUntil } from './migration-files.ts'
import { refusalOf } from './one-client.ts'
import * as schema from './schema.ts'
import { createSilenceWatch, type SilenceWatch } from './silence.ts'

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool }
/** A database transaction, or the database itself where one statement is enough. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute' | '$count'> & {
  $client: { query: <row extends pg.QueryResultRow>(statement: pg.QueryConfig) => Promise<pg.QueryResult<row>> }
}

const MIGRATION_LOCK = 4_100_001
/** Somebody waits: for a connection while others get one, while nobody does, and for each statement. */
const QUEUE_MS = 8_000
const CONNECT_MS = 4_000
const STATEMENT_MS = 4_500
/** PostgreSQL ends a statement itself; when it is still silent so much later, it hangs. */
const GRACE_MS = 500

export type OpenDatabase = { db: Database; pool: pg.Pool; close: () => Promise<void> }

type DatabaseOptions = {
  max?: number
  statementMilliseconds?: number
  /** Shared by the pools of one database. */
  silence?: SilenceWatch
}

export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { max = 20, statementMilliseconds = STATEMENT_MS, silence = createSilenceWatch() }: DatabaseOptions = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: QUEUE_MS,
    statement_timeout: statementMilliseconds,
    // A process that stops in the middle of a write must hold back neither others nor the readers of the log.
    idle_in_transaction_session_timeout: statementMilliseconds,
    application_name: 'countersign',
    // Statements of one connection do not wait for each other's answers: `transaction` sends `begin` with the first one.
    pipeline: true,
  })
  limitConnectionWait(pool, CONNECT_MS)
  silence.watch(pool, statementMilliseconds + GRACE_MS)
  // Without a listener a lost idle connection ends the process.
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // So does one that is lost between two statements of a transaction; the next statement fails then.
    client.on('error', () => {})
    gatherWrites(client.connection.stream)
  })
  return { db: drizzle(pool, { schema }), pool, close: () => pool.end() }
}

/**
 * Brings the database to this version's schema, or to an earlier one: what it was `until` a time, in milliseconds since
 * 1970. Several processes may do it at once.
 *
 * @throws CountersignError `DATA_TOO_NEW` when a newer version wrote it; `DATABASE_UNAVAILABLE` for what PostgreSQL refuses.
 */
export async function migrate(url: string, directory: string | null, until?: number): Promise<void> {
  const migrationsFolder = directory ?? findMigrations()
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const db = drizzle(client)
    const known = newestMigration(migrationsFolder)
    const newest = Math.max(until ?? 0, await newestApplied(db))
    if (newest > known)
      throw fail('DATA_TOO_NEW', {
        reason: 'schema',
        newest,
        known,
        newestAt: new Date(newest).toISOString(),
        knownAt: new Date(known).toISOString(),
      })
    if (until === undefined) await runMigrations(db, { migrationsFolder })
    else await withMigrationsUntil(migrationsFolder, until, (folder) => runMigrations(db, { migrationsFolder: folder }))
  } catch (error) {
    throw refusalOf(error, client) ?? error
  } finally {
    await client.end()
  }
}

/** When the newest migration of a database was made; 0 for an empty one. */
async function newestApplied(db: Pick<Executor, 'execute'>): Promise<number> {
  const table = await db.execute<{ name: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  )
  if (!table.rows[0]?.name) return 0
  const applied = await db.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  return Number(applied.rows[0]?.newest ?? 0)
}

/** Beside the source in development, beside the bundle when shipped. */
/** Finds the migrations beside the program, or among its sources. */
export function findMigrations(): string {
  const places = ['./migrations', './db/migrations'].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const found = places.find((place) => existsSync(join(place, 'meta', '_journal.json')))
  if (!found)
    throw fail('CONFIGURATION_INVALID', {
      reason: 'migrations',
      places,
      errors: [{ path: 'COUNTERSIGN_MIGRATIONS', message: 'is not a directory of migrations' }],
    })
  return found
}
