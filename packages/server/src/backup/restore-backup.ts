import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { fail } from '@countersign/contract'
import type pg from 'pg'
import { type CopyStreamQuery, from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from '../db/client.ts'
import { parseDatabaseFailure } from '../db/failure.ts'
import { explainFailure, openClient } from '../db/one-client.ts'
import { type BackupHeader, readBackup, TableSum, type TableSums } from './backup-file.ts'
import { COPY_SETTINGS, copyFromText, copyToText } from './tables.ts'

export type RestoredBackup = { madeAt: string; rows: number; tables: number }

/**
 * Fills an empty database with what a backup holds, all of it or nothing. The file is read whole before, its tables are
 * made as they were when it was written, what then stands in them is compared with the file row by row, and only then
 * are they brought to the schema of this version.
 *
 * @throws CountersignError `BACKUP_INVALID` for the file, `RESTORE_REFUSED` for a database that is not empty or is in use,
 * `DATA_TOO_NEW` for a backup of a newer version, `DISK_FULL` and `DATABASE_UNAVAILABLE` of the database.
 */
export async function restoreBackup(
  databaseUrl: string,
  path: string,
  { migrationsDirectory, onProgress }: { migrationsDirectory: string | null; onProgress: (text: string) => void },
): Promise<RestoredBackup> {
  onProgress('Checking the file')
  const { header, sums } = await readBackup(path, {})
  const client = await openClient(databaseUrl, 'countersign restore')
  try {
    await assertEmpty(client)
    await assertNoNewerTables(client, header)
    onProgress('Making the tables')
    await migrate(databaseUrl, migrationsDirectory, header.newestMigration)
    await client.query(COPY_SETTINGS)
    await client.query('begin')
    // Another restore, or a server that starts now, waits for this one, and then finds data.
    await client.query('lock table public.installation in access exclusive mode')
    await assertEmpty(client)
    for (const { name } of header.tables) await client.query(`truncate public."${name}" cascade`)
    // The log's own trigger would chain the entries anew: they keep the hashes that they have, which are verified below.
    await client.query('alter table activity disable trigger user')
    await fill(client, path, onProgress)
    await client.query('alter table activity enable trigger user')
    for (const { name, lastValue } of header.sequences)
      await client.query("select setval(('public.' || quote_ident($1))::regclass, $2)", [name, lastValue])
    onProgress('Comparing the database with the file')
    await assertSame(client, path, header, sums)
    await assertLogIsWhole(client, path)
    await client.query('commit')
  } catch (error) {
    throw explainFailure(error, client)
  } finally {
    await client.end()
  }
  onProgress('Bringing the tables to this version')
  await migrate(databaseUrl, migrationsDirectory)
  const rows = Object.values(sums).reduce((total, sum) => total + sum.rows, 0)
  return { madeAt: header.madeAt, rows, tables: header.tables.length }
}

/** A server that runs there would write between the rows; what is there must not be lost. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows: others } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'countersign'`,
  )
  if (others[0]?.count) throw fail('RESTORE_REFUSED', { reason: 'in-use', connections: others[0].count })
  const { rows: tables } = await client.query<{ name: string | null }>(
    "select to_regclass('public.installation')::text as name",
  )
  if (!tables[0]?.name) return
  const { rows: installations } = await client.query('select 1 from installation limit 1')
  if (installations.length > 0) throw fail('RESTORE_REFUSED', { reason: 'not-empty' })
}

/** Migrations of a newer version change rows, too: those of the file would come after them, and be left as they are. */
async function assertNoNewerTables(client: pg.Client, { newestMigration }: BackupHeader): Promise<void> {
  const { rows: schema } = await client.query<{ name: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations')::text as name",
  )
  if (!schema[0]?.name) return
  const { rows } = await client.query('select 1 from drizzle.__drizzle_migrations where created_at > $1 limit 1', [
    newestMigration,
  ])
  if (rows.length > 0) throw fail('RESTORE_REFUSED', { reason: 'newer-tables' })
}

async function fill(client: pg.Client, path: string, onProgress: (text: string) => void): Promise<void> {
  let columns = new Map<string, string[]>()
  let table: CopyStreamQuery | null = null
  const begin = (name: string) => {
    onProgress(`Writing ${name}`)
    table = client.query(copyFrom(copyFromText({ name, columns: columns.get(name) ?? [] })))
    // Without a listener a refusal between two writes would end the process.
    table.on('error', () => {})
    return table
  }
  try {
    await readBackup(path, {
      header: async (header) => {
        columns = new Map(header.tables.map((table) => [table.name, table.columns]))
      },
      rows: async (name, lines) => {
        const into = table ?? begin(name)
        if (into.errored) throw into.errored
        if (!into.write(lines)) await once(into, 'drain')
      },
      endOfTable: async () => {
        if (table) await finished(table.end())
        table = null
      },
    })
  } catch (cause) {
    // A database that is full, or goes away, says nothing of the file.
    const isRefusal = cause instanceof Error && 'severity' in cause && parseDatabaseFailure(cause) === null
    if (!isRefusal) throw cause
    throw fail('BACKUP_INVALID', { reason: 'refused', file: path, message: cause.message }, cause)
  }
}

async function assertSame(client: pg.Client, path: string, header: BackupHeader, sums: TableSums): Promise<void> {
  for (const table of header.tables) {
    const sum = new TableSum()
    for await (const chunk of client.query(copyTo(await copyToText(client, table)))) sum.add(chunk)
    if (sum.result().sha256 !== sums[table.name]?.sha256)
      throw fail('BACKUP_INVALID', { reason: 'not-restored', file: path, table: table.name })
  }
}

/** Each entry of a Safe's log names the hash of the one before it. */
async function assertLogIsWhole(client: pg.Client, path: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`
    select id::text from (
      select id, hash, previous_hash, sha256(previous_hash || convert_to(activity_text(entry), 'UTF8')) as computed,
        coalesce(lag(hash) over (partition by chain_id, safe_address order by id), decode(repeat('00', 32), 'hex')) as before
      from activity entry where safe_address is not null) as chained
    where hash is distinct from computed or previous_hash is distinct from before order by id limit 1`)
  if (rows[0]) throw fail('BACKUP_INVALID', { reason: 'log', file: path, entry: rows[0].id })
}
