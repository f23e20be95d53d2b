import { describe, expect, test } from 'vitest'
import { createPause } from './pause.ts'

describe('createPause', () => {
  /** Length of a wait that only a wake or a stop ends within the test. */
  const LONG_MS = 10 ** 8

  test('default: waits its time', async () => {
    const started = performance.now()
    await createPause().rest(30)
    expect(performance.now() - started).toBeGreaterThanOrEqual(28)
  })

  test('behavior: ends when woken, and a wake before it is not lost', async () => {
    const pause = createPause()
    const first = pause.rest(LONG_MS)
    pause.wake()
    await first
    pause.wake()
    await pause.rest(LONG_MS)
    const last = pause.rest(LONG_MS).then(() => 'over')
    // One wake ends one pause.
    expect(await Promise.race([last, new Promise((resolve) => setTimeout(resolve, 30, 'waits'))])).toBe('waits')
    pause.wake()
    expect(await last).toBe('over')
  })

  test('behavior: woken, it waits at least what it is told', async () => {
    const pause = createPause()
    pause.wake()
    const started = performance.now()
    await pause.rest(LONG_MS, 30)
    expect(performance.now() - started).toBeGreaterThanOrEqual(28)
  })

  test('behavior: stopped, it waits no more', async () => {
    const pause = createPause()
    const resting = pause.rest(LONG_MS, LONG_MS)
    pause.stop()
    await resting
    await pause.rest(LONG_MS)
    expect(pause.isStopped()).toBe(true)
  })
})
