import { describe, expect, test } from 'vitest'
import { createDatabase } from '../test/test-server.ts'
import { openDatabase } from './client.ts'

/** Longer than anybody waits for a connection that nobody gets. */
const LONG_SECONDS = 5
const BUSY_SECONDS = 0.5

async function withDatabase(use: (pool: ReturnType<typeof openDatabase>['pool']) => Promise<void>): Promise<void> {
  const { pool, close } = openDatabase(await createDatabase(), () => {}, { max: 2, statementMilliseconds: 10_000 })
  try {
    await use(pool)
  } finally {
    await close()
  }
}

describe('waiting for a connection', () => {
  test('behavior: who comes last of many waits longer than the others work, and is served', async () => {
    await withDatabase(async (pool) => {
      const startedAt = performance.now()
      const all = Array.from({ length: 22 }, () => pool.query(`select pg_sleep(${BUSY_SECONDS})`))
      await Promise.all(all)
      expect(performance.now() - startedAt).toBeGreaterThan(4_500)
    })
  })

  test('error: ETIMEDOUT while nobody gets one', async () => {
    await withDatabase(async (pool) => {
      const held = [1, 2].map(() => pool.query(`select pg_sleep(${LONG_SECONDS})`))
      const waits = [pool.query('select 1'), pool.connect()].map((waiting) =>
        waiting.then(
          () => 'served',
          (error) => error.code,
        ),
      )
      expect(await Promise.all(waits)).toEqual(['ETIMEDOUT', 'ETIMEDOUT'])
      await Promise.all(held)
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    })
  })

  test('behavior: a process that was held up itself reads what came meanwhile, and is served', async () => {
    await withDatabase(async (pool) => {
      const asked = pool.query('select 1 as one')
      // The connection is under way when this process stops to read.
      await new Promise((resolve) => setImmediate(resolve))
      const end = performance.now() + 4_500
      while (performance.now() < end);
      expect((await asked).rows).toEqual([{ one: 1 }])
    })
  })
})
