import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addSafe, call, listSafes, prepareSignIn } from '@countersign/contract'
import { type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { installation } from './db/schema.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from './test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

let parent: string
let postgres: EmbeddedPostgres
let devnet: Devnet
let server: TestServer
let browser: Browser
let stopped: number[] = []

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-trouble-'))
  chmodSync(parent, 0o755)
  ;[postgres, devnet] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory: join(parent, 'postgres') }),
    startDevnet({ port: 0 }),
  ])
  server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], databaseUrl: postgres.url })
  browser = await signInAs(server, alice)
})
afterEach(() => goOn())
afterAll(async () => {
  await server?.stop()
  await devnet?.close()
  await postgres?.stop()
  rmSync(parent, { recursive: true, force: true })
})

async function asAdmin(...statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Every process of PostgreSQL, or one kind of them. */
async function stopProcesses(where = 'true'): Promise<void> {
  const rows = await asAdmin(`select pid from pg_stat_activity where pid <> pg_backend_pid() and ${where}`)
  stopped = rows.map(({ pid }) => Number(pid))
  if (where === 'true') stopped.push(postgres.pid)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
}

function goOn(): void {
  for (const pid of stopped) process.kill(pid, 'SIGCONT')
  stopped = []
}

async function readiness(): Promise<{ status: number; database: unknown; reason: unknown }> {
  const response = await fetch(`${server.origin}/readyz`)
  const { database, reason } = (await response.json()) as Record<string, unknown>
  return { status: response.status, database, reason }
}

async function untilReady(): Promise<void> {
  await eventually(async () => (await readiness()).status === 200)
}

function ask(): Promise<Response> {
  return browser.fetch(`${server.origin}/api/safes`)
}

describe('PostgreSQL hangs', () => {
  test('error: DATABASE_UNAVAILABLE while the database hangs; probes answer; requests work again afterwards', async () => {
    const address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    await call(browser, addSafe, { chainId, address })
    await stopProcesses()
    const [read, write, ready, health] = await Promise.all([
      ask(),
      codeOf(call(browser, prepareSignIn, { address: bob.address, chainId })),
      readiness(),
      fetch(`${server.origin}/healthz`),
    ])
    expect(read.status).toBe(503)
    expect(read.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await read.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(write).toBe('DATABASE_UNAVAILABLE')
    expect(ready).toMatchObject({ status: 503, database: 'unreachable' })
    expect(health.status).toBe(200)
    goOn()
    await untilReady()
    const { safes } = await call(browser, listSafes, {})
    expect(safes.map((listed) => listed.address)).toContain(address)
  })

  test('behavior: only the processes of its connections do, and all goes on when they do', async () => {
    await stopProcesses("backend_type = 'client backend'")
    expect((await ask()).status).toBe(503)
    // New connections have taken their places.
    await untilReady()
    expect((await ask()).status).toBe(200)
    goOn()
    expect((await ask()).status).toBe(200)
  })

  test('behavior: one process of it is killed, and it recovers by itself', async () => {
    // A connection that waits for requests is there once one was answered.
    await eventually(async () => (await ask()).status === 200)
    const [row] = await asAdmin("select pid from pg_stat_activity where application_name = 'countersign' limit 1")
    process.kill(Number(row?.pid), 'SIGKILL')
    await untilReady()
    await eventually(async () => (await ask()).status === 200)
  })
})

describe('PostgreSQL is away', () => {
  test('behavior: it is looked for once a second, and found again at its port', async () => {
    const before = server.logged.length
    await postgres.stop()
    expect((await ask()).status).toBe(503)
    // The readiness found just before the loss is repeated for a moment.
    await eventually(async () => (await readiness()).database === 'unreachable')
    // Tries would show as many more lines, had each failed one led to two.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    const port = Number(new URL(postgres.url).port)
    postgres = await startEmbeddedPostgres({ dataDirectory: join(parent, 'postgres'), port })
    await untilReady()
    const lost = server.logged.slice(before).filter((line) => line.includes('live listener lost'))
    expect(lost.length).toBeLessThan(2)
    expect((await ask()).status).toBe(200)
  })
})

describe('PostgreSQL is away when the server starts', () => {
  test('behavior: it listens, says that it is not ready, and begins when the database is there', async () => {
    const { port } = server
    const gone = new URL(postgres.url)
    await server.stop()
    await postgres.stop()
    const starting = startTestServer({ chains: [devnetChain(devnet.rpcUrl)], databaseUrl: postgres.url, port })
    const origin = `http://127.0.0.1:${port}`
    const ask = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init)
    await eventually(async () => (await ask('/healthz').catch(() => null))?.status === 200)
    const ready = await ask('/readyz')
    expect([ready.status, await ready.json()]).toMatchObject([503, { database: 'unreachable' }])
    const refused = await ask('/api/session')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect((await ask('/')).status).toBe(503)
    postgres = await startEmbeddedPostgres({ dataDirectory: join(parent, 'postgres'), port: Number(gone.port) })
    server = await starting
    await untilReady()
    expect(server.logged.filter((line) => line.includes('waiting for the database'))).toHaveLength(1)
    expect((await server.db.select().from(installation)).length).toBe(1)
  })
})

describe('PostgreSQL cannot write', () => {
  test('error: DISK_FULL, /readyz says it until there is room, and reading goes on', async () => {
    // The answer that PostgreSQL gives for a full disk, to every new row and every new table.
    await asAdmin(
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`,
      `create function full_disk_event() returns event_trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`,
      'create trigger full_disk before insert on sign_in_nonce execute function full_disk()',
      "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function full_disk_event()",
    )
    expect(await codeOf(call(browser, prepareSignIn, { address: bob.address, chainId }))).toBe('DISK_FULL')
    expect((await ask()).status).toBe(200)
    expect(await readiness()).toMatchObject({
      status: 503,
      database: 'disk-full',
      reason: expect.stringMatching(/full/),
    })
    await asAdmin('drop event trigger full_disk', 'drop trigger full_disk on sign_in_nonce')
    await untilReady()
    expect(await codeOf(call(browser, prepareSignIn, { address: bob.address, chainId }))).toBe('no error')
  })

  test('error: DATABASE_READ_ONLY, and after the failover it goes on', async () => {
    await asAdmin(
      'alter database postgres set default_transaction_read_only = on',
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign'",
    )
    await eventually(
      async () =>
        (await codeOf(call(browser, prepareSignIn, { address: bob.address, chainId }))) === 'DATABASE_READ_ONLY',
    )
    expect((await ask()).status).toBe(200)
    expect(await readiness()).toMatchObject({ status: 503, database: 'read-only' })
    await asAdmin(
      'set default_transaction_read_only = off',
      'alter database postgres set default_transaction_read_only = off',
    )
    await untilReady()
    await eventually(
      async () => (await codeOf(call(browser, prepareSignIn, { address: bob.address, chainId }))) === 'no error',
    )
  })
})
