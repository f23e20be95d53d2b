import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  addSafe,
  call,
  confirmTransaction,
  listActivity,
  listQueue,
  listSafes,
  proposeTransaction,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { CountersignError } from '@countersign/safe'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../db/client.ts'
import { devnet, openChain } from '../test/scene.ts'
import { createEmptyDatabase, devnetChain, newSafe, signedTx, signInAs, startTestServer } from '../test/test-server.ts'
import { END_OF_TABLE, TableSum } from './backup-file.ts'
import { keepBackups, listBackups } from './keep-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const migrations = fileURLToPath(new URL('../db/migrations', import.meta.url))
const now = new Date('2026-11-22T12:00:00Z')
let directory: string

openChain()
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-backup-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
})

/** When a migration was made. */
function madeAt(tag: string): number {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(migrations, 'meta', '_journal.json'), 'utf8'),
  )
  return journal.entries.find((entry) => entry.tag === tag)?.when ?? 0
}

/** The code and reason of a refusal. */
async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'no error'
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return `${error.code} ${error.data.reason}`
  }
}

const restore = (url: string, path: string) =>
  restoreBackup(url, path, { migrationsDirectory: migrations, onProgress: () => {} })

async function query<row extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** A small database with rows that look like what ends a table, and its backup. */
async function smallBackup(name: string): Promise<{ url: string; path: string }> {
  const url = await createEmptyDatabase()
  await migrate(url, migrations)
  await query(url, 'insert into installation (id, created_at) values ($1, now()), ($2, now())', [
    '\\.\n\\.\n\t\r\\N',
    'b',
  ])
  const path = join(directory, name)
  await writeBackup(url, path, now)
  return { url, path }
}

/** A copy of a file with its text changed and its sums made to fit. */
function forged(path: string, change: (text: string) => string): string {
  const [header = '', ...rest] = change(gunzipSync(readFileSync(path)).toString('utf8')).split('\n')
  const body = rest.slice(0, -2).join('\n')
  const { tables }: { tables: { name: string }[] } = JSON.parse(header)
  const parts = `\n${body}\n`.split(`\n${END_OF_TABLE}`.slice(0, -1))
  const sums = Object.fromEntries(
    tables.map(({ name }, at) => {
      const sum = new TableSum()
      const rows = (parts[at] ?? '').replace(/^\n/, '')
      sum.add(Buffer.from(rows === '' ? '' : `${rows}\n`))
      return [name, sum.result()]
    }),
  )
  const target = `${path}.forged`
  writeFileSync(target, gzipSync(`${header}\n${body}\n${JSON.stringify({ tables: sums })}\n`))
  return target
}

describe('backup and restore', () => {
  test('default: made while the product goes on, restored into an empty database, goes on there', async () => {
    const chains = [devnetChain(devnet.rpcUrl)]
    const first = await startTestServer({ chains })
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
    const browser = await signInAs(first, alice)
    await call(browser, addSafe, { chainId, address: safeAddress })
    const tx = await signedTx(safeAddress, alice, { value: 5n })
    await call(browser, proposeTransaction, { chainId, safeAddress, ...tx })
    const what = async () => ({
      safes: (await call(browser, listSafes, {})).safes.map(({ address }) => address),
      queue: await call(browser, listQueue, { chainId, safeAddress }),
      activity: (await call(browser, listActivity, { chainId, safeAddress })).entries,
    })
    const before = await what()
    const path = join(directory, 'whole.backup.gz')
    const written = await writeBackup(first.databaseUrl, path, now)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(written.bytes).toBe(statSync(path).size)
    await first.stop()

    const databaseUrl = await createEmptyDatabase()
    expect((await restore(databaseUrl, path)).rows).toBe(written.rows)
    const second = await startTestServer({ chains, databaseUrl })
    try {
      // The cookies belong to the same installation, so nobody is signed out.
      Object.assign(browser, { baseUrl: second.origin, headers: { origin: second.origin } })
      expect(await what()).toEqual(before)
      const { signature } = await signedTx(safeAddress, bob, { value: 5n })
      const asBob = await signInAs(second, bob)
      await call(asBob, confirmTransaction, { chainId, safeTxHash: tx.safeTxHash, signature })
      const { entries } = await call(browser, listActivity, { chainId, safeAddress })
      expect(entries.map(({ verb }) => verb)).toEqual(['confirmed', ...before.activity.map(({ verb }) => verb)])
    } finally {
      await second.stop()
    }
  })

  test('behavior: rows that look like the end of a table come back as they were', async () => {
    const { url, path } = await smallBackup('rows.backup.gz')
    const target = await createEmptyDatabase()
    await restore(target, path)
    const ids = 'select id from installation order by id collate "C"'
    expect(await query(target, ids)).toEqual(await query(url, ids))
  })

  test('behavior: a backup of an earlier version is brought to this one', async () => {
    const old = await createEmptyDatabase()
    const when = madeAt('0025_webhooks')
    await migrate(old, migrations, when)
    await query(old, "insert into installation (id, created_at) values ('before', now())")
    const path = join(directory, 'old.backup.gz')
    await writeBackup(old, path, now)
    const target = await createEmptyDatabase()
    await restore(target, path)
    expect(await query(target, 'select id from installation')).toEqual([{ id: 'before' }])
    const newest = 'select max(created_at)::text as newest from drizzle.__drizzle_migrations'
    const [row] = await query<{ newest: string }>(target, newest)
    expect(Number(row?.newest)).toBeGreaterThan(when)
  })

  test('error: RESTORE_REFUSED for empty tables of a newer version, as a restore that was killed leaves them', async () => {
    const old = await createEmptyDatabase()
    await migrate(old, migrations, madeAt('0025_webhooks'))
    const path = join(directory, 'older.backup.gz')
    await writeBackup(old, path, now)
    const target = await createEmptyDatabase()
    await migrate(target, migrations)
    expect(await codeOf(restore(target, path))).toBe('RESTORE_REFUSED newer-tables')
    await migrate(old, migrations)
    const same = join(directory, 'same.backup.gz')
    await writeBackup(old, same, now)
    await restore(target, same)
  })

  test('error: RESTORE_REFUSED for the later one of two at a time', async () => {
    const paths = [await smallBackup('two-a.backup.gz'), await smallBackup('two-b.backup.gz')].map(({ path }) => path)
    const target = await createEmptyDatabase()
    const codes = await Promise.all(paths.map((path) => codeOf(restore(target, path))))
    expect(codes.sort()).toEqual(['RESTORE_REFUSED not-empty', 'no error'])
  })

  test('error: RESTORE_REFUSED for a database with data, or with a server', async () => {
    const { url, path } = await smallBackup('refused.backup.gz')
    expect(await codeOf(restore(url, path))).toBe('RESTORE_REFUSED not-empty')
    const server = await startTestServer({ chains: [], databaseUrl: await createEmptyDatabase() })
    expect(await codeOf(restore(server.databaseUrl, path))).toBe('RESTORE_REFUSED in-use')
    await server.stop()
  })

  test('error: BACKUP_INVALID for a file that was cut off, wherever, and nothing is written', async () => {
    const { path } = await smallBackup('whole-small.backup.gz')
    const file = readFileSync(path)
    const text = gunzipSync(file)
    const target = await createEmptyDatabase()
    const broken = join(directory, 'broken.backup.gz')
    for (const end of [0, 1, 20, Math.floor(file.length / 2), file.length - 9, file.length - 1]) {
      writeFileSync(broken, file.subarray(0, end))
      expect(await codeOf(restore(target, broken)), `${end} bytes`).toMatch(/^BACKUP_INVALID/)
    }
    for (const end of [0, 10, text.indexOf('\\.\n') + 1, text.indexOf('\\.\n') + 3, text.length - 2]) {
      writeFileSync(broken, gzipSync(text.subarray(0, end)))
      expect(await codeOf(restore(target, broken)), `${end} of the text`).toMatch(/^BACKUP_INVALID/)
    }
    expect(await query(target, "select to_regclass('public.installation') as name")).toEqual([{ name: null }])
  })

  test('error: BACKUP_INVALID for what was changed, is no backup, or holds what no table takes', async () => {
    const { path } = await smallBackup('changed.backup.gz')
    const target = await createEmptyDatabase()
    const broken = join(directory, 'changed-too.backup.gz')
    const text = gunzipSync(readFileSync(path)).toString('utf8')
    const cases: [string, string][] = [
      [text.replace(/\nb\t/, '\nc\t'), 'changed'],
      [`${text}more\n`, 'changed'],
      ['hello\n', 'not-a-backup'],
      [text.replace('"countersignBackup":1', '"countersignBackup":2'), 'not-a-backup'],
      [text.replace('"installation","columns"', '"installation; drop table safe","columns"'), 'not-a-backup'],
      [`${' '.repeat(3 * 1024 * 1024)}\n`, 'not-a-backup'],
    ]
    for (const [changed, reason] of cases) {
      expect(changed).not.toBe(text)
      writeFileSync(broken, gzipSync(changed))
      expect(await codeOf(restore(target, broken))).toBe(`BACKUP_INVALID ${reason}`)
    }
    expect(await codeOf(restore(target, join(directory, 'none')))).toBe('BACKUP_INVALID unreadable')
    writeFileSync(broken, 'not even compressed')
    expect(await codeOf(restore(target, broken))).toBe('BACKUP_INVALID not-a-backup')
    expect(
      await codeOf(
        restore(
          target,
          forged(path, (all) => all.replace(/\nb\t[^\n]*/, '\nb\tnever')),
        ),
      ),
    ).toBe('BACKUP_INVALID refused')
    // All or nothing: the tables are there, and empty, so that another file can be tried.
    expect(await query(target, 'select * from installation')).toEqual([])
    await restore(target, path)
  })

  test('error: BACKUP_INVALID for a log that was changed together with its sums', async () => {
    const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const browser = await signInAs(server, alice)
    await call(browser, addSafe, { chainId, address: safeAddress })
    await call(browser, proposeTransaction, { chainId, safeAddress, ...(await signedTx(safeAddress, alice, {})) })
    const path = join(directory, 'log.backup.gz')
    await writeBackup(server.databaseUrl, path, now)
    await server.stop()
    const target = await createEmptyDatabase()
    expect(
      await codeOf(
        restore(
          target,
          forged(path, (all) => all),
        ),
      ),
    ).toBe('no error')
    const other = await createEmptyDatabase()
    expect(
      await codeOf(
        restore(
          other,
          forged(path, (all) => all.replace(/\tproposed\t/, '\tconfirmed\t')),
        ),
      ),
    ).toBe('BACKUP_INVALID log')
  })

  test('error: DATA_TOO_NEW for a backup of a newer version', async () => {
    const { path } = await smallBackup('new.backup.gz')
    const newer = forged(path, (all) => all.replace(/"newestMigration":\d+/, '"newestMigration":99999999999999'))
    expect(await codeOf(restore(await createEmptyDatabase(), newer))).toBe('DATA_TOO_NEW schema')
  })

  test('error: DISK_FULL when the database has no room left, which says nothing of the file, and nothing is written', async () => {
    const { path } = await smallBackup('room.backup.gz')
    const target = await createEmptyDatabase()
    await migrate(target, migrations)
    await query(
      target,
      `create function has_no_room() returns trigger language plpgsql as $$
        begin raise exception 'no room' using errcode = '53100'; end $$;
      create trigger full_disk before insert on installation for each row execute function has_no_room()`,
    )
    expect(await codeOf(restore(target, path))).toBe('DISK_FULL database')
    await query(target, 'drop trigger full_disk on installation')
    await restore(target, path)
  })

  test('error: DATABASE_UNAVAILABLE for one that is away, has no such database, or takes connections and is silent', async () => {
    const { url, path } = await smallBackup('away.backup.gz')
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const schedule = { directory: join(directory, 'never'), everyMilliseconds: 3_600_000, keep: 1 }
    const [away, none, mute] = ['postgres://127.0.0.1:1/x', `${url}_none`, `postgres://127.0.0.1:${port}/x`]
    expect(await codeOf(restore(away, path))).toBe('DATABASE_UNAVAILABLE silent')
    expect(await codeOf(writeBackup(none, join(directory, 'y'), now))).toBe('DATABASE_UNAVAILABLE no-database')
    expect(await codeOf(keepBackups(mute, schedule, now))).toBe('DATABASE_UNAVAILABLE silent')
    silent.close()
  })

  test('error: BACKUP_INVALID where the file exists, DATA_NOT_WRITABLE where none can be made', async () => {
    const { url, path } = await smallBackup('twice.backup.gz')
    expect(await codeOf(writeBackup(url, path, now))).toBe('BACKUP_INVALID exists')
    expect(await codeOf(writeBackup(await createEmptyDatabase(), join(directory, 'x'), now))).toBe(
      'BACKUP_INVALID no-data',
    )
    expect(await codeOf(writeBackup(url, join(path, 'below', 'x'), now))).toMatch(/^DATA_NOT_WRITABLE/)
  })
})

describe('keepBackups', () => {
  test('behavior: one when it is due, the newest stay, files of others are left alone', async () => {
    const { url } = await smallBackup('kept.backup.gz')
    const place = mkdtempSync(join(directory, 'kept-'))
    writeFileSync(join(place, 'notes.txt'), 'mine')
    const schedule = { directory: place, everyMilliseconds: 3_600_000, keep: 2 }
    const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    // Two processes look at the same moment.
    const both = await Promise.all([keepBackups(url, schedule, at(0)), keepBackups(url, schedule, at(0))])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await keepBackups(url, schedule, at(0.5))).toBe(null)
    await keepBackups(url, schedule, at(1))
    await keepBackups(url, schedule, at(2))
    expect(listBackups(place).map((backup) => backup.madeAt)).toEqual([at(1), at(2)])
    expect(readFileSync(join(place, 'notes.txt'), 'utf8')).toBe('mine')
    expect(readdirSync(place).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('behavior: files of a wrong clock, and what a killed process left, are in nobody’s way', async () => {
    const { url } = await smallBackup('clock.backup.gz')
    const place = mkdtempSync(join(directory, 'clock-'))
    const schedule = { directory: place, everyMilliseconds: 3_600_000, keep: 1 }
    const later = 'countersign-2099-01-01T00-00-00Z.backup.gz'
    const [left, running] = ['1', '2'].map((pid) => `.countersign-2026-11-01T00-00-00Z.backup.gz.${pid}.partial`)
    for (const name of [later, left, running]) writeFileSync(join(place, name ?? ''), '')
    utimesSync(join(place, left ?? ''), now, new Date(Date.now() - 86_400_000))
    const written = await keepBackups(url, schedule, now)
    expect(readdirSync(place).sort()).toEqual([running, basename(written?.path ?? ''), later])
    expect(await keepBackups(url, schedule, new Date(now.getTime() + 60_000))).toBe(null)
  })
})
