import { describe, expect, test } from 'vitest'
import { formatAmount, parseAmount } from './format-amount.ts'

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

describe('parseAmount', () => {
  test.each(['1', '1,250.5', '.5', '5.', '0.000001', '1250.500000'])('%s comes back exactly', (typed) => {
    const parsed = parseAmount(typed, 6)
    expect(parsed).toHaveProperty('value')
    if ('value' in parsed) expect(parseAmount(formatAmount(parsed.value, 6), 6)).toEqual(parsed)
  })

  test.each([
    ['', 'empty'],
    ['1,25', 'not-a-number'],
    ['1.250,5', 'not-a-number'],
    ['-1', 'not-a-number'],
    ['1e3', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['0.0000001', 'too-many-decimals'],
    [`${10n ** 78n}`, 'too-large'],
  ])('%s is refused: %s', (typed, problem) => {
    expect(parseAmount(typed, 6)).toEqual({ problem })
  })
})
