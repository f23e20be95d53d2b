import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../db/client.ts'
import { createDatabase, eventually } from '../test/test-server.ts'
import { keepEpoch } from './epoch.ts'
import { findNext, keepReader, type LogEntry, releaseReader } from './reader.ts'
import { writeLogged } from './write.ts'

const chainId = 31337
const name = 'test'

let db: Database
let close: () => Promise<void>
let databaseUrl: string
let read: LogEntry[]

beforeEach(async () => {
  databaseUrl = await createDatabase()
  const opened = openDatabase(databaseUrl, () => {})
  db = opened.db
  close = opened.close
  read = []
  await keepEpoch(db)
  await keepReader(db, name)
})

afterEach(async () => close())

const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`)

function say(text: string, safeAddress = newAddress()): Promise<void> {
  return writeLogged({ db, clock: () => new Date() }, async (_, log) =>
    log.add({ verb: 'noted', account: null, chainId, safeAddress, detail: { text } }),
  )
}

const handle = async (_: unknown, entries: readonly LogEntry[]) => void read.push(...entries)
const next = (holder = 'one') => findNext({ db, clock: () => new Date() }, name, holder, handle)
const texts = () => read.map(({ detail }) => detail?.text)

/** A connection of its own, as of another process. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return client
}

const insertion = `insert into activity (at, verb, chain_id, safe_address, detail)
  values (now(), 'noted', ${chainId}, $1, $2)`

describe('findNext', () => {
  test('default: each entry once, in the order of the log', async () => {
    const safeAddress = newAddress()
    for (const text of ['1', '2', '3']) await say(text, safeAddress)
    await eventually(async () => (await next()) && read.length === 3)
    expect(texts()).toEqual(['1', '2', '3'])
    expect(await next()).toEqual({ kind: 'read', count: 0, heldBackSince: null })
  })

  test('behavior: in the order of numbers, also where they get one more digit', async () => {
    const safeAddress = newAddress()
    const numbers = Array.from({ length: 12 }, (_, at) => String(at))
    // All of one transaction, by ids from 2 to 24.
    await writeLogged({ db, clock: () => new Date() }, async (_, log) => {
      for (const text of numbers) log.add({ verb: 'noted', account: null, chainId, safeAddress, detail: { text } })
    })
    await eventually(async () => (await next()) && read.length === 12)
    expect(texts()).toEqual(numbers)

    for (const text of ['of 999', 'of 1000']) await say(text, safeAddress)
    await db.execute(sql`alter table activity disable trigger activity_chain`)
    await db.execute(sql`update outbox_reader set tx_id = 998`)
    await db.execute(
      sql`update activity set tx_id = case detail ->> 'text' when 'of 999' then 999 when 'of 1000' then 1000 else 1 end`,
    )
    await db.execute(sql`alter table activity enable trigger activity_chain`)
    await db.execute(sql`update outbox_epoch set system_identifier = 'another'`)
    await keepEpoch(db)
    await next()
    expect(texts().slice(12)).toEqual(['of 999', 'of 1000'])
  })

  test('behavior: what is committed late is not skipped, though its id is lower', async () => {
    const late = await connect()
    await late.query('begin')
    await late.query(insertion, [randomBytes(20), { text: 'late' }])
    await say('early')
    const step = await next()
    expect(step).toMatchObject({ kind: 'read', count: 0 })
    expect(step).not.toMatchObject({ heldBackSince: null })
    await late.query('commit')
    await late.end()
    await eventually(async () => (await next()) && read.length === 2)
    expect(texts()).toEqual(['late', 'early'])
    const ids = read.map(({ id }) => id)
    expect(Number(ids[0])).toBeLessThan(Number(ids[1]))
  })

  test('behavior: a transaction that began earlier and logs later comes after what it follows', async () => {
    const safe = randomBytes(20)
    const slow = await connect()
    await slow.query('begin')
    // It has its id by now, and nothing in the log.
    await slow.query('select pg_current_xact_id()')
    const quick = await connect()
    await quick.query(insertion, [safe, { text: 'first' }])
    await slow.query(insertion, [safe, { text: 'second' }])
    await slow.query('commit')
    await Promise.all([slow.end(), quick.end()])
    await eventually(async () => (await next()) && read.length === 2)
    expect(texts()).toEqual(['first', 'second'])
  })

  test('behavior: what a rolled back transaction wrote is not read, and stops nothing', async () => {
    const lost = await connect()
    await lost.query('begin')
    await lost.query(insertion, [randomBytes(20), { text: 'lost' }])
    await say('kept')
    await lost.query('rollback')
    await lost.end()
    await eventually(async () => (await next()) && read.length > 0)
    expect(texts()).toEqual(['kept'])
  })

  test('behavior: entries that fail to be handled are read again', async () => {
    await say('again')
    const failing = () =>
      findNext({ db, clock: () => new Date() }, name, 'one', async () => {
        throw new Error('the disk is full')
      })
    await eventually(async () =>
      failing().then(
        () => false,
        (error: Error) => error.message === 'the disk is full',
      ),
    )
    await eventually(async () => (await next()) && read.length > 0)
    expect(texts()).toEqual(['again'])
  })

  test('behavior: one process reads; another takes over when it gives the lease back, or dies', async () => {
    expect(await next('one')).toMatchObject({ kind: 'read' })
    expect(await next('two')).toEqual({ kind: 'by another' })
    await releaseReader(db, name, 'one')
    expect(await next('two')).toMatchObject({ kind: 'read' })
    expect(await next('one')).toEqual({ kind: 'by another' })
    // Some seconds pass, and nobody renews it.
    await db.execute(sql`update outbox_reader set held_until = held_until - interval '10 seconds'`)
    expect(await next('one')).toMatchObject({ kind: 'read' })
  })

  test('behavior: goes on without loss in another cluster, whose transactions begin anew', async () => {
    const safeAddress = newAddress()
    await say('read before', safeAddress)
    await eventually(async () => (await next()) && read.length === 1)
    await say('unread before', safeAddress)
    // A dump of a cluster that had counted much further.
    await db.execute(sql`alter table activity disable trigger activity_chain`)
    await db.execute(sql`update activity set tx_id = tx_id + 1000000000`)
    await db.execute(sql`alter table activity enable trigger activity_chain`)
    await db.execute(sql`update outbox_reader set tx_id = tx_id + 1000000000, holder = null`)
    await db.execute(sql`update outbox_epoch set system_identifier = 'another'`)
    await keepEpoch(db)
    await say('after', safeAddress)
    await eventually(async () => (await next()) && read.length === 3)
    expect(texts()).toEqual(['read before', 'unread before', 'after'])
  })

  test('behavior: many writers at once, and the lease goes round: each Safe’s entries in order, none lost', async () => {
    const safes = Array.from({ length: 4 }, newAddress)
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let at = 0; at < 15; at += 1) await say(`${writer} ${at}`, safes[(writer + at) % safes.length])
    })
    let isWritten = false
    const written = Promise.all(writers).then(() => {
      isWritten = true
    })
    for (let round = 0; !isWritten || read.length < 90; round += 1) {
      const holder = String(round % 3)
      await next(holder)
      await releaseReader(db, name, holder)
    }
    await written
    const { rows } = await db.execute<{ id: string }>(sql`select id::text from activity order by id`)
    expect(read.map(({ id }) => String(id)).sort()).toEqual(rows.map(({ id }) => id).sort())
    for (const safe of safes) {
      const ids = read.filter(({ safeAddress }) => safeAddress === safe).map(({ id }) => Number(id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }
  })
})
