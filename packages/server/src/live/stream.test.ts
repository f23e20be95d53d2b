import { connect } from 'node:net'
import { demoAccounts } from '@countersign/devnet'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../db/client.ts'
import { safe, session } from '../db/schema.ts'
import type { Viewer } from '../safes/viewer.ts'
import { codeOf, createDatabase, eventually } from '../test/test-server.ts'
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
    tokenHash,
    id: 'one',
    address: alice.address,
    chainId,
    provenBy: 'key',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: later,
  })
  await database.db.insert(safe).values({
    chainId,
    address: safeAddress,
    owners: [alice.address],
    threshold: 1,
    nonce: 0n,
    version: '1.4.1',
    domainVersion: '1.4.1',
    blockNumber: 1,
    addedAt: now,
  })
  hub = createHub({
    db: database.db,
    clock: () => now,
    sessionLimits: { idleMilliseconds: 3_600_000, absoluteMilliseconds: 3_600_000, contractMilliseconds: 3_600_000 },
  })
  const credential = { kind: 'session', id: 'one' } as const
  viewer = { address: alice.address, chainId, tokenHash, credential, provenBy: 'key', warrantId: null }
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
  // The unread events are still there for it, and then the stream ends.
  expect((await slow.text()).length).toBeLessThan(100_000)
  hub.closeAll()
  await reading
})

/** Lengthens what arrives, so that few events fill the system's buffer of a socket. */
function lengthened(response: Response): Response {
  const padding = new Uint8Array(256 * 1024).fill(0x3a)
  const lengthen = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      controller.enqueue(padding)
    },
  })
  return new Response(response.body?.pipeThrough(lengthen), { headers: response.headers })
}

test('behavior: a socket that nobody reads from is dropped, and its connection ends', async () => {
  const http = createAdaptorServer({ fetch: () => lengthened(hub.open(viewer)) })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (typeof address !== 'object' || !address) throw new Error('unreachable')
  const socket = connect(address.port, '127.0.0.1')
  try {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve))
    expect(hub.size()).toBe(1)
    // From here on nothing is read.
    for (let sent = 0; sent < 5_000 && hub.size() === 1; sent += 1) await hub.deliver(event)
    expect(hub.size()).toBe(0)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.end().resume()
    await ended
    // And who goes away is forgotten.
    const leaving = connect(address.port, '127.0.0.1')
    leaving.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => leaving.once('readable', resolve))
    expect(hub.size()).toBe(1)
    leaving.destroy()
    await eventually(async () => hub.size() === 0)
  } finally {
    socket.destroy()
    await new Promise((resolve) => http.close(resolve))
  }
})

test('behavior: when nobody can say who may know of it, all connect again', async () => {
  const away = openDatabase(await createDatabase(), () => {})
  const limits = { idleMilliseconds: 3_600_000, absoluteMilliseconds: 3_600_000, contractMilliseconds: 3_600_000 }
  const cut = createHub({ db: away.db, clock: () => now, sessionLimits: limits })
  const stream = cut.open(viewer)
  await away.close()
  await expect(cut.deliver(event)).rejects.toThrow()
  expect(cut.size()).toBe(0)
  expect(await stream.text()).toContain('connected')
})

test('error: TOO_MANY for more streams than an account can use; others have theirs', async () => {
  for (let count = 0; count < 100; count += 1) hub.open(viewer)
  expect(await codeOf(Promise.resolve().then(() => hub.open(viewer)))).toBe('TOO_MANY')
  hub.open({ ...viewer, address: demoAccounts[1].address })
  expect(hub.size()).toBe(101)
  hub.closeAll()
  hub.open(viewer)
  hub.closeAll()
})

test('behavior: what changed just before a stream was there is told once it is, to those who may know of it', async () => {
  const change = { kind: 'team', chainId, safeAddress } as const
  await hub.deliver(change)
  await hub.deliver(change)
  const [told, untold] = [hub.open(viewer), hub.open({ ...viewer, address: demoAccounts[1].address })]
  await hub.deliver({ kind: 'chain', chainId })
  await new Promise((resolve) => setTimeout(resolve, 200))
  hub.closeAll()
  const changes = async (stream: Response) =>
    (await stream.text())
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
      .filter(({ kind }) => kind === 'team')
  expect([await changes(told), await changes(untold)]).toEqual([[{ ...change, isPast: true }], []])
})
