import { type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import { and, eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { chainCursor, chainFollower, historyEntry } from '../db/schema.ts'
import { createActor } from '../test/safe-actor.ts'
import { honest, startScriptedNode } from '../test/scripted-node.ts'
import {
  codeOf,
  createDatabase,
  devnetChain,
  eventually,
  newSafe,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { createLease, type Lease } from './lease.ts'

const [alice] = demoAccounts
const chainId = 31337

let databaseUrl: string
let client: pg.Client

beforeEach(async () => {
  databaseUrl = await createDatabase()
  client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
})

afterEach(async () => client?.end())

/** Ends the connection that holds a chain's lock, and no other. */
async function killLock(): Promise<void> {
  const { rowCount } = await client.query(`
    select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
    where locktype = 'advisory' and classid = 4100002 and datname = current_database() and granted`)
  expect(rowCount).toBe(1)
}

describe('createLease', () => {
  let close: () => Promise<void>
  let one: Lease
  let other: Lease
  let ends: ReturnType<typeof openDatabase>['db']

  beforeEach(() => {
    const opened = openDatabase(databaseUrl, () => {})
    ends = opened.db
    close = opened.close
    one = createLease({ chainId, db: opened.db, clock: () => new Date(), databaseUrl })
    other = createLease({ chainId, db: opened.db, clock: () => new Date(), databaseUrl })
  })

  afterEach(async () => {
    await one.release()
    await other.release()
    await close()
  })

  const mark = (lease: Lease, block: number) =>
    lease.write((tx) => tx.update(chainFollower).set({ headBlock: block }).where(eq(chainFollower.chainId, chainId)))
  const marked = async () => (await ends.select().from(chainFollower))[0]?.headBlock

  test('default: one at a time', async () => {
    expect([await one.hold(), await other.hold(), await one.hold()]).toEqual(['now', 'by another', 'still'])
    await mark(one, 1)
    await one.release()
    expect(await other.hold()).toBe('now')
    await mark(other, 2)
    expect(await marked()).toBe(2)
  })

  test('error: DATABASE_UNAVAILABLE for who lost it, whether it knows or not', async () => {
    await one.hold()
    await killLock()
    await eventually(async () => (await other.hold()) === 'now')
    expect(one.isHeld()).toBe(false)
    expect(await codeOf(mark(one, 7))).toBe('DATABASE_UNAVAILABLE')
    // Its connection stands, and the lock with it, yet somebody else has taken over.
    await client.query("update chain_follower set token = 'another'")
    expect(other.isHeld()).toBe(true)
    expect(await codeOf(mark(other, 8))).toBe('DATABASE_UNAVAILABLE')
    expect(other.isHeld()).toBe(false)
    expect(await marked()).toBe(null)
  })

  test('behavior: nobody takes over in the middle of what is just written', async () => {
    await one.hold()
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    let written: Promise<unknown> = Promise.resolve()
    const begun = new Promise<void>((begin) => {
      written = one.write(async (tx) => {
        begin()
        await waiting
        await tx.update(chainFollower).set({ headBlock: 1 }).where(eq(chainFollower.chainId, chainId))
      })
    })
    await begun
    await killLock()
    // Answers of two connections come in any order; the row tells which write was first.
    const found = eventually(async () => (await other.hold()) === 'now').then(marked)
    await eventually(async () => {
      const { rows } = await client.query('select 1 from pg_stat_activity where wait_event_type = $1', ['Lock'])
      return rows.length > 0
    })
    expect(await marked()).not.toBe(1)
    finish()
    expect(await found).toBe(1)
    await written
    await mark(other, 2)
    expect(await codeOf(mark(one, 3))).toBe('DATABASE_UNAVAILABLE')
    expect(await marked()).toBe(2)
  })
})

describe('two processes', () => {
  let devnet: Devnet

  beforeAll(async () => {
    devnet = await startDevnet({ port: 0 })
  })
  afterAll(async () => devnet?.close())

  test('behavior: who lost the lock while it read writes nothing, and the other goes on', async () => {
    const actor = createActor(devnet.rpcUrl)
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const node = await startScriptedNode(devnet.rpcUrl)
    const servers: TestServer[] = []
    const start = async (rpcUrl: string) => {
      const server = await startTestServer({
        chains: [{ ...devnetChain(rpcUrl), index: 'whole-chain' }],
        databaseUrl,
      })
      servers.push(server)
      return server
    }
    try {
      const slow = await start(node.url)
      const entries = () =>
        slow.db
          .select()
          .from(historyEntry)
          .where(and(eq(historyEntry.safeAddress, safeAddress), eq(historyEntry.kind, 'transfer-in')))
      const cursor = async () => (await slow.db.select().from(chainCursor))[0]?.blockNumber ?? -1
      const head = async () => Number(await actor.rpc('eth_blockNumber'))
      await eventually(async () => (await cursor()) === (await head()))

      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      let isReading = false
      node.play(async (asked, truth) => {
        const answers = await truth()
        if (asked.some(({ method }) => method === 'eth_getLogs')) {
          isReading = true
          await held
        }
        return answers
      })
      await actor.send({ to: safeAddress, value: 5n })
      await eventually(async () => isReading)
      const quick = await start(devnet.rpcUrl)
      await killLock()
      await eventually(async () => (await entries()).length === 1)
      await actor.send({ to: safeAddress, value: 6n })
      await eventually(async () => (await cursor()) === (await head()))
      const [token] = await slow.db.select({ token: chainFollower.token }).from(chainFollower)
      node.play(honest)
      answer()
      await eventually(async () => slow.logged.some((line) => line.includes('follower failed')))
      await actor.send({ to: safeAddress, value: 7n })
      await eventually(async () => (await entries()).length === 3)
      expect((await entries()).map(({ amount }) => amount)).toEqual([5n, 6n, 7n])
      expect(await slow.db.select({ token: chainFollower.token }).from(chainFollower)).toEqual([token])
      // And back again, when the other ends.
      await quick.stop()
      servers.pop()
      await actor.send({ to: safeAddress, value: 8n })
      await eventually(async () => (await entries()).length === 4)
    } finally {
      for (const server of servers) await server.stop()
      await node.close()
    }
  })
})
