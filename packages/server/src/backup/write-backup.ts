import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { fail } from '@countersign/contract'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { explainFailure, openClient } from '../db/one-client.ts'
import { asRefusal, findRefusal } from '../postgres/refusal.ts'
import { type BackupHeader, END_OF_TABLE, FORMAT, TableSum, type TableSums } from './backup-file.ts'
import { COPY_SETTINGS, copyToText, listSequences, listTables } from './tables.ts'

export type WrittenBackup = {
  path: string
  /** Hash of the file as it lies on the disk, lower-case hexadecimal. */
  sha256: string
  bytes: number
  rows: number
  madeAt: Date
}

/** Names sort by the time at which they were made. */
export function nameBackup(madeAt: Date): string {
  return `countersign-${madeAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.gz`
}

/**
 * Writes all that the database holds into one new file, as it is at one moment, while the product goes on. The file
 * appears when it is whole and on the disk; it can be read by its user alone.
 *
 * @param path names a file that does not exist yet
 * @throws CountersignError `BACKUP_INVALID` where there is a file, or a database without data; `DISK_FULL`, `DATA_NOT_WRITABLE`;
 * `DATABASE_UNAVAILABLE`.
 */
export async function writeBackup(databaseUrl: string, path: string, madeAt: Date): Promise<WrittenBackup> {
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.partial`)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw asRefusal(dirname(path), cause)
  }
  if (statSync(path, { throwIfNoEntry: false })) throw fail('BACKUP_INVALID', { reason: 'exists', file: path })
  const client = await openClient(databaseUrl, 'countersign backup')
  try {
    await client.query(COPY_SETTINGS)
    await client.query('begin isolation level repeatable read read only')
    const header = await readHeader(client, madeAt)
    const sha256 = createHash('sha256')
    let rows = 0
    try {
      await pipeline(
        Readable.from(contents(client, header, (sum) => (rows += sum))),
        createGzip(),
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            sha256.update(chunk)
            yield chunk
          }
        },
        createWriteStream(partial, { mode: 0o600, flags: 'wx' }),
      )
      const file = await open(partial, 'r+')
      await file.sync().finally(() => file.close())
      renameSync(partial, path)
    } catch (cause) {
      throw findRefusal(dirname(path), cause) ?? explainFailure(cause, client)
    }
    return { path, sha256: sha256.digest('hex'), bytes: statSync(path).size, rows, madeAt }
  } finally {
    rmSync(partial, { force: true })
    await client.end()
  }
}

async function readHeader(client: pg.Client, madeAt: Date): Promise<BackupHeader> {
  const { rows: schema } = await client.query<{ name: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations')::text as name",
  )
  if (!schema[0]?.name) throw fail('BACKUP_INVALID', { reason: 'no-data' })
  const { rows } = await client.query<{ newest: string; installation: string | null }>(
    `select (select max(created_at) from drizzle.__drizzle_migrations)::text as newest,
      (select id from installation order by created_at, id limit 1) as installation`,
  )
  return {
    countersignBackup: FORMAT,
    madeAt: madeAt.toISOString(),
    installation: rows[0]?.installation ?? '',
    newestMigration: Number(rows[0]?.newest ?? 0),
    tables: await listTables(client),
    sequences: await listSequences(client),
  }
}

async function* contents(
  client: pg.Client,
  header: BackupHeader,
  onTable: (rows: number) => void,
): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(header)}\n`
  const tables: TableSums = {}
  for (const table of header.tables) {
    const sum = new TableSum()
    for await (const chunk of client.query(copyTo(await copyToText(client, table)))) {
      sum.add(chunk)
      yield chunk
    }
    yield END_OF_TABLE
    const result = sum.result()
    tables[table.name] = result
    onTable(result.rows)
  }
  yield `${JSON.stringify({ tables })}\n`
}
