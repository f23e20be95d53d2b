import { call, getSession, listSafes } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate } from './db/client.ts'
import { codeOf, createDatabase, eventually, newBrowser, signInAs, startTestServer } from './test/test-server.ts'

const [alice] = demoAccounts
const deadChain = {
  chainId: 31337,
  name: 'Away',
  rpcUrls: ['http://127.0.0.1:9'],
  isDevnet: false,
  index: 'tracked' as const,
}

async function onDatabase(url: string, query: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(query)
  await client.end()
}

describe('startServer', () => {
  test('error: DATA_TOO_NEW', async () => {
    const url = await createDatabase()
    await migrate(url, null)
    await onDatabase(
      url,
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)`,
    )
    expect(await codeOf(migrate(url, null))).toBe('DATA_TOO_NEW')
  })

  test('error: DATABASE_UNAVAILABLE says what PostgreSQL refuses', async () => {
    const [wrong, absent] = [new URL(await createDatabase()), new URL(await createDatabase())]
    wrong.password = 'wrong'
    absent.pathname = '/not_there'
    for (const [url, what] of [
      [wrong, 'password'],
      [absent, '`not_there`, PostgreSQL has no such database'],
    ] as const) {
      const refused: unknown = await startTestServer({ chains: [], databaseUrl: url.href }).catch((error) => error)
      expect(refused).toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining(what) })
    }
  })

  test('error: PORT_IN_USE', async () => {
    const server = await startTestServer({ chains: [] })
    expect(await codeOf(startTestServer({ chains: [], port: server.port }))).toBe('PORT_IN_USE')
    await server.stop()
  })

  test('behavior: an empty database is migrated, by two processes at once too', async () => {
    const url = new URL(await createDatabase())
    const empty = `empty_${Date.now()}`
    await onDatabase(url.href, `create database ${empty} template template0`)
    url.pathname = `/${empty}`
    await Promise.all([migrate(url.href, null), migrate(url.href, null)])
    await migrate(url.href, null)
  })

  test('behavior: signing in and reading work without any chain; sessions outlive a restart', async () => {
    const first = await startTestServer({ chains: [deadChain] })
    const browser = await signInAs(first, alice)
    await first.stop()
    const { databaseUrl, port } = first
    const second = await startTestServer({ chains: [deadChain], databaseUrl, port })
    expect((await call(browser, getSession, {})).session?.address).toBe(alice.address)
    await second.stop()
  })

  test('error: DATABASE_UNAVAILABLE while connections are cut, and it goes on afterwards', async () => {
    const server = await startTestServer({ chains: [deadChain] })
    const browser = await signInAs(server, alice)
    const name = new URL(server.databaseUrl).pathname.slice(1)
    const admin = new URL(server.databaseUrl)
    admin.pathname = '/postgres'
    await onDatabase(admin.href, `alter database ${name} allow_connections false`)
    await onDatabase(admin.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    expect(await codeOf(call(browser, listSafes, {}))).toBe('DATABASE_UNAVAILABLE')
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    await onDatabase(admin.href, `alter database ${name} allow_connections true`)
    await eventually(async () => (await codeOf(call(browser, listSafes, {}))) === 'no error')
    expect(await codeOf(call(newBrowser(server), getSession, {}))).toBe('no error')
    await server.stop()
  })
})
