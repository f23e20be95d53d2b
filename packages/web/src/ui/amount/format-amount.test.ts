import { describe, expect, test } from 'vitest'
import { startLocale } from '../../text/locale.ts'
import { formatAmount, shortenAmount } from './format-amount.ts'

describe('formatAmount', () => {
  test.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [10n ** 18n, 18, '1'],
    [10n ** 19n + 1n, 18, '10.000000000000000001'],
    [1_250_000_000n, 6, '1,250'],
    [1_234_567_890n, 0, '1,234,567,890'],
    [-1_500_000n, 6, '−1.5'],
    [999n, 3, '0.999'],
  ])('%s with %s decimals is %s', (value, decimals, expected) => {
    expect(formatAmount(value, decimals)).toBe(expected)
  })

  test('behavior: groups by a space where a comma begins the fraction', () => {
    const storage = { getItem: () => null, setItem: () => {} }
    try {
      startLocale(storage, ['de'])
      expect(formatAmount(1_250_500_000n, 6)).toBe('1\u202f250.5')
    } finally {
      startLocale(storage, [])
    }
  })

  test('behavior: the largest uint256 keeps every digit', () => {
    const value = (1n << 256n) - 1n
    expect(formatAmount(value, 18).replace(/[,.]/g, '')).toBe(value.toString())
  })
})

describe('shortenAmount', () => {
  test.each([
    [9_999_812_345_678_901_234n, 18, '9.9998'],
    [1_234_567_999_999n, 6, '1,234,567.9999'],
    [123_456_789n, 18, '0.0000000001234'],
    [-1_234_567_890n, 9, '−1.2345'],
    [10n ** 18n + 1n, 18, '1'],
  ])('%s with %s decimals is about %s', (value, decimals, expected) => {
    expect(shortenAmount(value, decimals)).toBe(expected)
  })

  test('behavior: null for what is short', () => {
    for (const value of [0n, 10n ** 18n, 15n * 10n ** 17n, 1n]) expect(shortenAmount(value, 18)).toBeNull()
    expect(shortenAmount(1_234_567n, 0)).toBeNull()
    expect(shortenAmount(1_234_567n, 4)).toBeNull()
  })
})
