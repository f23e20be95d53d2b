import { demoAccounts } from '@countersign/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../context.ts'
import { type OpenDatabase, openDatabase } from '../db/client.ts'
import { safe, session } from '../db/schema.ts'
import { createDatabase } from '../test/test-server.ts'
import { createHub, type Hub } from './stream.ts'

const [alice] = demoAccounts
const chainId = 31337
const safeAddress = '0x5AFE3855358E112B5647B952709E6165e1c1eEEe'
const now = new Date()
const later = new Date(now.getTime() + 3_600_000)
const event = { kind: 'safe', chainId, safeAddress } as const

let database: OpenDatabase
let hub: Hub
let viewer: Viewer

beforeAll(async () => {
  database = openDatabase(await createDatabase(), () => {})
  const tokenHash = `0x${'ab'.repeat(32)}` as const
  await database.db.insert(session).values({
    ...{ tokenHash, id: 'one', address: alice.address, chainId, provenBy: 'key' },
    ...{ createdAt: now, lastSeenAt: now, expiresAt: later },
  })
  await database.db.insert(safe).values({
    ...{ chainId, address: safeAddress, owners: [alice.address], threshold: 1, nonce: 0n, version: '1.4.1' },
    ...{ domainVersion: '1.4.1', blockNumber: 1, addedAt: now },
  })
  hub = createHub({
    db: database.db,
    clock: () => now,
    sessionLimits: { idleMilliseconds: 3_600_000, absoluteMilliseconds: 3_600_000, contractMilliseconds: 3_600_000 },
  })
  const credential = { kind: 'session', id: 'one' } as const
  viewer = { address: alice.address, chainId, tokenHash, credential, provenBy: 'key' }
})

afterAll(() => database?.close())

test('behavior: who does not read is dropped once the backlog is full; who reads goes on', async () => {
  const slow = hub.open(viewer)
  const quick = hub.open(viewer)
  const reader = quick.body?.getReader()
  let read = 0
  const reading = (async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      read += value.byteLength
    }
  })()
  for (let sent = 0; sent < 5_000 && hub.size() === 2; sent += 1) await hub.deliver(event)
  expect(hub.size()).toBe(1)
  const before = read
  await hub.deliver(event)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(read).toBeGreaterThan(before)
  expect(before).toBeGreaterThan(60_000)
  // What it had not read is still there for it, and then the stream ends.
  expect((await slow.text()).length).toBeLessThan(100_000)
  hub.closeAll()
  await reading
})
