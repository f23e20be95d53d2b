import { CountersignError } from '@countersign/safe'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fail } from '../text/fail.ts'
import { retryWhenLimited } from './retry-when-limited.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Work that is put off so many times. */
function putOff(times: number, error: Error = fail('RATE_LIMITED', { retryAfterSeconds: 3 })) {
  let asked = 0
  const work = async () => {
    asked += 1
    if (asked <= times) throw error
    return 'done'
  }
  return { work, asked: () => asked }
}

test('default: is asked again after the time that the server names', async () => {
  const { work, asked } = putOff(2)
  const done = retryWhenLimited(work)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(3_200)
  expect(await done).toBe('done')
  expect(asked()).toBe(3)
})

test('error: any other at once, and at last this one', async () => {
  const other = putOff(1, new CountersignError('NOT_AN_OWNER', 'no'))
  await expect(retryWhenLimited(other.work)).rejects.toThrow('no')
  const { work, asked } = putOff(1_000)
  const done = expect(retryWhenLimited(work)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await vi.advanceTimersByTimeAsync(100_000)
  await done
  expect(asked()).toBe(20)
})
