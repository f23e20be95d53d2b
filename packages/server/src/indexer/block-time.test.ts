import { expect, test } from 'vitest'
import { blockTime } from './block-time.ts'

test.each([
  0,
  1,
  1_700_000_000,
  253_402_300_799,
  253_402_300_800,
  8.64e12,
  8.64e12 + 1,
  2 ** 53,
  2 ** 64,
  2 ** 256,
  Infinity,
])('behavior: second %d is a time that can be stored, and written as others read it', (seconds) => {
  const time = blockTime(seconds)
  expect(time.toISOString()).toMatch(/^\d{4}-/)
  expect(new Date(time.toISOString())).toEqual(time)
})
