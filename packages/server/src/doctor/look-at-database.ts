import pg from 'pg'
import { findMigrations } from '../db/client.ts'
import { newestMigration } from '../db/migration-files.ts'
import { type Finding, fault, good, notice } from './finding.ts'

const OLDEST_VERSION = 15
/** Connections of one server process: 20 for requests, 10 behind them, one that listens, and some for backups. */
const NEEDED_CONNECTIONS = 40

/** Histories that are still to be read, of one chain. */
export type Unread = { chainId: number; safes: number; blocks: number }

/** Looks at the database, and which histories it waits for. Changes nothing. */
export async function lookAtDatabase(
  url: string,
  migrationsDirectory: string | null,
): Promise<{ findings: Finding[]; unread: Unread[] }> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, statement_timeout: 20_000 })
    await client.connect()
    return await look(client, migrationsDirectory ?? findMigrations())
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    const remedy = 'Start PostgreSQL, or correct DATABASE_URL: address, user, password, database.'
    return { findings: [fault('Database', `does not answer: ${says}`, remedy)], unread: [] }
  } finally {
    await client?.end().catch(() => {})
  }
}

async function look(client: pg.Client, migrations: string): Promise<{ findings: Finding[]; unread: Unread[] }> {
  const { rows } = await client.query<{ version: number; bytes: string; most: number; migrated: boolean }>(`
    select current_setting('server_version_num')::int / 10000 as version,
      pg_database_size(current_database())::text as bytes, current_setting('max_connections')::int as most,
      to_regclass('drizzle.__drizzle_migrations') is not null as migrated`)
  const [{ version, bytes, most, migrated } = { version: 0, bytes: '0', most: 0, migrated: false }] = rows
  const findings: Finding[] = []
  const says = `PostgreSQL ${version}, ${(Number(bytes) / 1024 ** 2).toFixed(0)} MB`
  if (version < OLDEST_VERSION)
    findings.push(fault('Database', says, `Upgrade it to PostgreSQL ${OLDEST_VERSION} or newer.`))
  else findings.push(good('Database', says))
  if (most < NEEDED_CONNECTIONS)
    findings.push(
      notice(
        'Connections',
        `PostgreSQL takes ${most}; one server process uses up to ${NEEDED_CONNECTIONS}`,
        'Raise max_connections.',
      ),
    )
  if (!migrated) return { findings: [...findings, good('Schema', 'none yet; the first start makes it')], unread: [] }
  const applied = await client.query<{ newest: string | null }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  )
  const [newest, known] = [Number(applied.rows[0]?.newest ?? 0), newestMigration(migrations)]
  if (newest > known)
    return {
      findings: [
        ...findings,
        fault('Schema', 'written by a newer version of this server', 'Start the newer version, or restore a backup.'),
      ],
      unread: [],
    }
  if (newest < known)
    return { findings: [...findings, good('Schema', 'of an earlier version; the next start brings it up')], unread: [] }
  const waiting = await client.query<Unread>(`
    select s.chain_id::int as "chainId", count(*)::int as safes,
      (max(coalesce(s.backfill_to, c.block_number)) - min(s.backfill_block) + 1)::float8 as blocks
    from safe s join chain_cursor c on c.chain_id = s.chain_id
    where s.backfill_block is not null group by s.chain_id`)
  return { findings: [...findings, good('Schema', 'of this version')], unread: waiting.rows }
}
