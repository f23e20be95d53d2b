import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { isAlive } from './process-identity.ts'

let parent: string
let dataDirectory: string
const running: EmbeddedPostgres[] = []

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  chmodSync(parent, 0o755)
  dataDirectory = join(parent, 'postgres')
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()))
  rmSync(parent, { recursive: true, force: true })
})

async function start(log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, ...(log ? { log } : {}) })
  running.push(postgres)
  return postgres
}

async function query(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('startEmbeddedPostgres', () => {
  test('default: starts, answers SQL with fsync on, stops, keeps its data', async () => {
    const first = await start()
    await query(first, 'create table kept (id int); insert into kept values (7)')
    expect(await query(first, 'show fsync')).toEqual([{ fsync: 'on' }])
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    const second = await start()
    expect(await query(second, 'select id from kept')).toEqual([{ id: 7 }])
  })

  test('behavior: a killed server recovers what was committed', async () => {
    const first = await start()
    await query(first, 'create table kept (id int); insert into kept values (8)')
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    const second = await start()
    expect(await query(second, 'select id from kept')).toEqual([{ id: 8 }])
  })

  test('behavior: a server that outlived its parent is stopped, and the next start goes on', async () => {
    const first = await start()
    await query(first, 'create table kept (id int); insert into kept values (9)')
    // A killed parent leaves the server, and a lock of a process that is no more.
    writeFileSync(join(dataDirectory, 'lock.json'), JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1' }))
    const lines: string[] = []
    const second = await start((line) => lines.push(line))
    expect(isAlive(first.pid)).toBe(false)
    expect(await query(second, 'select id from kept')).toEqual([{ id: 9 }])
    expect(lines.join('\n')).toMatch(/still runs; stopping it/)
  })

  test('behavior: a wrong password is refused', async () => {
    const postgres = await start()
    const client = new pg.Client({ connectionString: postgres.url.replace(/:[0-9a-f]{48}@/, ':wrong@') })
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' })
  })

  test.runIf(process.getuid?.() === 0)(
    'behavior: root in a closed directory, the data goes elsewhere and is found again',
    async () => {
      chmodSync(parent, 0o700)
      const lines: string[] = []
      const first = await start((line) => lines.push(line))
      try {
        expect(first.directory).not.toBe(dataDirectory)
        expect(lines.join('\n')).toContain(`The database is in ${first.directory}`)
        await query(first, 'create table kept (id int); insert into kept values (10)')
        await first.stop()
        const second = await start()
        expect(await query(second, 'select id from kept')).toEqual([{ id: 10 }])
        await second.stop()
      } finally {
        await first.stop()
        rmSync(first.directory, { recursive: true, force: true })
      }
    },
  )

  test('error: DATA_IN_USE', async () => {
    await start()
    await expect(start()).rejects.toMatchObject({ code: 'DATA_IN_USE' })
  })

  test('error: DATA_TOO_NEW', async () => {
    const first = await start()
    await first.stop()
    writeFileSync(join(dataDirectory, 'cluster/PG_VERSION'), '99\n')
    await expect(start()).rejects.toMatchObject({ code: 'DATA_TOO_NEW', data: { found: 99 } })
  })

  test('error: DATA_NOT_WRITABLE', async () => {
    writeFileSync(dataDirectory, 'a file where the directory should be')
    await expect(start()).rejects.toMatchObject({ code: 'DATA_NOT_WRITABLE' })
  })
})
