import { describe, expect, test } from 'vitest'
import { shareOf, stepAt, ticksOf } from './plot-scale.ts'

describe('ticksOf', () => {
  test.each([
    [0n, 10n, [0n, 5n, 10n]],
    [0n, 7n, [0n, 2n, 4n, 6n, 8n]],
    [0n, 1n, [0n, 1n]],
    [0n, 400n, [0n, 100n, 200n, 300n, 400n]],
    [0n, 401n, [0n, 200n, 400n, 600n]],
    [-30n, 70n, [-50n, 0n, 50n, 100n]],
    [5n, 5n, [5n]],
  ])('from %s to %s', (lowest, highest, expected) => {
    expect(ticksOf(lowest, highest)).toEqual(expected)
  })

  test('behavior: few, and none outside, for amounts of any size', () => {
    for (const highest of [1n, 9n, 10n ** 18n + 1n, (1n << 256n) - 1n, 3n * 10n ** 77n]) {
      const ticks = ticksOf(0n, highest)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks[0]).toBe(0n)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }
  })
})

describe('shareOf', () => {
  test('default: between, and at the ends', () => {
    expect([0n, 5n, 10n].map((value) => shareOf(value, 0n, 10n))).toEqual([0, 0.5, 1])
    expect(shareOf(-5n, -10n, 10n)).toBe(0.25)
    expect(shareOf(1n << 255n, 0n, 1n << 256n)).toBe(0.5)
    expect(shareOf(3n, 3n, 3n)).toBe(0)
  })
})

describe('stepAt', () => {
  const steps = [10, 20, 20, 30].map((at) => ({ at }))
  test('default: the last that is not later', () => {
    expect([0, 10, 15, 20, 29, 30, 99].map((time) => stepAt(steps, time))).toEqual([0, 0, 0, 2, 2, 3, 3])
  })
})
