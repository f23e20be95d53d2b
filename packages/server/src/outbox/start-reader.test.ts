import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { createDatabase, eventually } from '../test/test-server.ts'
import { keepEpoch } from './epoch.ts'
import { type LogEntry, startReader } from './reader.ts'
import { writeLogged } from './write.ts'

describe('startReader', () => {
  test('default: reads on, and another process goes on where one stopped', async () => {
    const { db, close } = openDatabase(await createDatabase(), () => {})
    await keepEpoch(db)
    const read: LogEntry[] = []
    const start = () =>
      startReader({
        db,
        clock: () => new Date(),
        log: pino({ level: 'silent' }),
        name: 'test',
        handle: async (_, entries) => void read.push(...entries),
      })
    const safeAddress = getAddress(`0x${randomBytes(20).toString('hex')}`)
    const say = (text: string) =>
      writeLogged({ db, clock: () => new Date() }, async (_, log) =>
        log.add({ verb: 'noted', account: null, chainId: 31337, safeAddress, detail: { text } }),
      )
    const reader = start()
    // Its cursor begins with what is written from then on.
    await eventually(async () => (await db.execute('select from outbox_reader')).rows.length === 1)
    await say('1')
    reader.wake()
    await eventually(async () => read.length === 1)
    await reader.stop()
    await say('2')
    const other = start()
    await eventually(async () => read.length === 2)
    await other.stop()
    await close()
    expect(read.map(({ detail }) => detail?.text)).toEqual(['1', '2'])
  })

  test('behavior: what many write at once is read together', async () => {
    const { db, close } = openDatabase(await createDatabase(), () => {})
    await keepEpoch(db)
    let steps = 0
    let count = 0
    const reader = startReader({
      db,
      clock: () => new Date(),
      log: pino({ level: 'silent' }),
      name: 'test',
      async handle(_, entries) {
        steps += 1
        count += entries.length
      },
    })
    await eventually(async () => (await db.execute('select from outbox_reader')).rows.length === 1)
    const started = performance.now()
    for (let at = 0; at < 100; at += 1) {
      const safeAddress = getAddress(`0x${randomBytes(20).toString('hex')}`)
      const entry = { verb: 'noted', account: null, chainId: 31337, safeAddress } as const
      await writeLogged({ db, clock: () => new Date() }, async (_, log) => log.add(entry))
      reader.wake()
    }
    await eventually(async () => count === 100)
    const took = performance.now() - started
    await reader.stop()
    await close()
    expect(steps).toBeLessThanOrEqual(2 + took / 100)
  })
})
