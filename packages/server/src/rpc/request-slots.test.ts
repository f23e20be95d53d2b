import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { createBackoff } from './request-slots.ts'

test('the pause doubles with each consecutive failure, and is shortened by at most half', () => {
  const backoff = createBackoff()
  const fail = () => backoff.failed(new HttpRequestError({ url: 'http://127.0.0.1', status: 503 }), performance.now())
  for (const longest of [250, 500, 1_000, 2_000]) {
    fail()
    expect(backoff.pause()).toBeGreaterThan(longest / 2 - 100)
    expect(backoff.pause()).toBeLessThanOrEqual(longest)
  }
  backoff.answered()
  expect(backoff.failure()).toBeNull()
})
