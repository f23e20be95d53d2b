import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../test/test-server.ts'
import { openDatabase } from './client.ts'
import { createSilenceWatch } from './silence.ts'

const CONNECTIONS = 4

let stopped: number[] = []
function stop(pids: readonly number[]): void {
  stopped = [...pids]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
}
afterEach(() => {
  for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
})

async function pidOf(client: Pick<pg.PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.1)')
  return Number(rows[0]?.pid)
}

/** The processes of a pool, once it has as many connections as it may have. */
async function fill(pool: pg.Pool): Promise<number[]> {
  const pids = await Promise.all(Array.from({ length: CONNECTIONS }, () => pidOf(pool)))
  expect(new Set(pids).size).toBe(CONNECTIONS)
  return pids
}

describe('createSilenceWatch', () => {
  test('behavior: with a silent connection the idle ones of all pools end, which hang as well', async () => {
    const url = await createDatabase()
    const silence = createSilenceWatch()
    const quick = openDatabase(url, () => {}, { max: CONNECTIONS, statementMilliseconds: 500, silence })
    const slow = openDatabase(url, () => {}, { max: CONNECTIONS, statementMilliseconds: 20_000, silence })
    const pids = [...(await fill(quick.pool)), ...(await fill(slow.pool))]
    stop(pids)
    await expect(pidOf(quick.pool)).rejects.toThrow('does not answer')
    for (const { pool } of [quick, slow]) for (const pid of await fill(pool)) expect(pids).not.toContain(pid)
    await Promise.all([quick.close(), slow.close()])
  })

  test('behavior: a connection that is busy and answers is left alone', async () => {
    const { pool, close } = openDatabase(await createDatabase(), () => {}, { max: 2, statementMilliseconds: 1_000 })
    const [hanging, working] = [await pool.connect(), await pool.connect()]
    const [pid, kept] = [await pidOf(hanging), await pidOf(working)]
    stop([pid])
    const failing = hanging.query('select 1').then(
      () => 'answered',
      (error: Error) => error.message,
    )
    for (let round = 0; round < 4; round += 1) await working.query('select pg_sleep(0.7)')
    expect(await failing).toBe('PostgreSQL does not answer')
    expect(await pidOf(working)).toBe(kept)
    working.release()
    hanging.release(true)
    await close()
  })

  test('behavior: a connection that was idle as long is left alone, when its next answer takes a moment', async () => {
    const { pool, close } = openDatabase(await createDatabase(), () => {}, { max: 1, statementMilliseconds: 500 })
    const pid = await pidOf(pool)
    // Past the limit, and the answer comes after the look that follows it.
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    await pool.query('select pg_sleep(0.4)')
    expect(await pidOf(pool)).toBe(pid)
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    stop([pid])
    await expect(pidOf(pool)).rejects.toThrow('does not answer')
    await close()
  })
})
