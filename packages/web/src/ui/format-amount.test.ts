import { describe, expect, test } from 'vitest'
import { formatAmount } from './format-amount.ts'

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

  test('behavior: the largest uint256 keeps every digit', () => {
    const value = (1n << 256n) - 1n
    expect(formatAmount(value, 18).replace(/[,.]/g, '')).toBe(value.toString())
  })
})
