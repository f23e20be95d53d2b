import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../../../scripts/testing/random-tests.mjs'
import { openDatabase } from '../../db/client.ts'
import { activity, safe } from '../../db/schema.ts'
import { webhook } from '../../db/team-schema.ts'
import { keepEpoch } from '../../outbox/epoch.ts'
import { keepReader } from '../../outbox/reader.ts'
import { createDatabase, eventually } from '../../test/test-server.ts'

const PROCESSES = 3
const KILLS = isSoak ? 20 : 2
const chainId = 31337
const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const program = join(root, `dist/writer-${process.pid}.mjs`)

type Received = { id: string; entry: number; text: string }
const received = new Map<string, Received[]>()
let receiver: Server

beforeAll(async () => {
  const bundle = ['packages/server/src/test/writer-process.ts', '--file', program, '--platform', 'node']
  const rest = ['--external', 'pg,pg-native,pino,secp256k1', '--format', 'esm', '--no-codeSplitting']
  execFileSync(process.execPath, ['node_modules/rolldown/bin/cli.mjs', ...bundle, ...rest], { cwd: root })
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { data } = JSON.parse(body)
      const id = String(request.headers['webhook-id'])
      const list = received.get(data.safeAddress) ?? []
      received.set(data.safeAddress, [...list, { id, entry: Number(data.entry.id), text: data.detail.text }])
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  receiver?.closeAllConnections()
  receiver?.close()
  rmSync(program, { force: true })
})

describe('kill -9', () => {
  test('behavior: three processes, killed under load: what was acknowledged arrives, in the order of the log', {
    timeout: 300_000,
  }, async () => {
    const databaseUrl = await createDatabase()
    const { db, close } = openDatabase(databaseUrl, () => {})
    await keepEpoch(db)
    await keepReader(db, 'webhooks')
    const owner = getAddress(`0x${randomBytes(20).toString('hex')}`)
    const safes: Address[] = Array.from({ length: 3 }, () => getAddress(`0x${randomBytes(20).toString('hex')}`))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    for (const address of safes) {
      const facts = {
        owners: [owner],
        threshold: 1,
        nonce: 0n,
        version: '1.4.1',
        domainVersion: '1.4.1',
        blockNumber: 0,
      }
      await db.insert(safe).values({ chainId, address, ...facts, addedAt: new Date() })
      const secret = '0x00' as const
      const hook = {
        id: randomBytes(12).toString('hex'),
        url,
        events: ['deleted' as const],
        secret,
        createdAt: new Date(),
      }
      await db.insert(webhook).values({ chainId, safeAddress: address, account: owner, ...hook })
    }

    const acknowledged: { safeAddress: Address; text: string }[] = []
    let count = 0
    async function startOne(): Promise<ChildProcess> {
      const child = fork(program, { stdio: 'ignore' })
      await new Promise((resolve) => child.once('message', resolve))
      child.on('message', (message) => void acknowledged.push(message as (typeof acknowledged)[number]))
      count += 1
      child.send({ databaseUrl, safes, chainId, name: String(count) })
      return child
    }
    const children = await Promise.all(Array.from({ length: PROCESSES }, startOne))
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged.length
      await eventually(async () => acknowledged.length > before + 20)
      const at = randomInt(PROCESSES)
      const ended = new Promise((resolve) => children[at]?.once('exit', resolve))
      children[at]?.kill('SIGKILL')
      await ended
      children[at] = await startOne()
    }
    // They stop to write, and one goes on sending what is left.
    for (const child of children.slice(1)) child.kill('SIGKILL')
    children[0]?.kill('SIGKILL')
    // The database may still commit statements of a killed process.
    const readEntries = () => db.select().from(activity).orderBy(activity.id)
    let entries = await readEntries()
    const { startWebhooks } = await import('./start.ts')
    const { pino } = await import('pino')
    const log = pino({ enabled: false })
    const rest = startWebhooks({ db, clock: () => new Date(), log, networks: ['127.0.0.1'] })
    await eventually(async () => {
      const { rows } = await db.execute(sql`select 1 from webhook_delivery where due_at is not null limit 1`)
      const { rows: filed } = await db.execute<{ count: number }>(sql`select count(*)::int from webhook_delivery`)
      entries = await readEntries()
      return rows.length === 0 && Number(filed[0]?.count) > 0 && countOfArrived() >= entries.length
    })
    await rest.stop()
    await close()

    expect(acknowledged.length).toBeGreaterThan(KILLS * 20)
    for (const address of safes) {
      const list = received.get(address) ?? []
      const texts = new Set(list.map(({ text }) => text))
      const lost = acknowledged.filter((entry) => entry.safeAddress === address && !texts.has(entry.text))
      expect(lost).toEqual([])
      // Once for each entry, in order, when repeats are dropped by their id; and repeats have the same.
      const first = [...new Map(list.toReversed().map((entry) => [entry.id, entry])).values()].toReversed()
      const inOrder = entries.filter(({ safeAddress }) => safeAddress === address).map(({ id }) => Number(id))
      const firstSeen = list.filter((entry, at) => list.findIndex(({ id }) => id === entry.id) === at)
      expect(firstSeen.map(({ entry }) => entry)).toEqual(inOrder)
      expect(new Set(first.map(({ text }) => text)).size).toBe(inOrder.length)
    }
  })
})

function countOfArrived(): number {
  return [...received.values()].reduce((sum, list) => sum + new Set(list.map(({ id }) => id)).size, 0)
}
