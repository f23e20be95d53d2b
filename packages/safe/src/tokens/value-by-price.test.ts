import { describe, expect, test } from 'vitest'
import { parsePrice, valueByPrice } from './value-by-price.ts'

describe('parsePrice', () => {
  test('default: exact, in units of 10^-18', () => {
    expect(parsePrice('3412.55')).toBe(3_412_550_000_000_000_000_000n)
    expect(parsePrice('0.000000000000000001')).toBe(1n)
  })

  test.each([
    '0',
    '0.0',
    '-1',
    '1e3',
    'Infinity',
    'NaN',
    '',
    '1,5',
    ' 1',
    '1.',
    '.5',
    '99999999999999',
    `0.${'0'.repeat(18)}1`,
  ])('behavior: %j is no price', (text) => expect(parsePrice(text)).toBeNull())
})

describe('valueByPrice', () => {
  test('default: hundredths of the currency, rounded down', () => {
    expect(valueByPrice(1_500_000n, 6, '0.99')).toBe(148n)
    expect(valueByPrice(10n ** 18n, 18, '3412.559')).toBe(341_255n)
    expect(valueByPrice(7n, 0, '2')).toBe(1_400n)
    expect(valueByPrice(1n, 18, '3000')).toBe(0n)
  })

  test('behavior: what nothing is worth has no value, and so has an amount or decimals out of bounds', () => {
    expect(valueByPrice(10n ** 15n, 0, '1')).toBe(10n ** 17n)
    expect(valueByPrice(10n ** 15n + 1n, 0, '1')).toBeNull()
    expect(valueByPrice(-1n, 0, '1')).toBeNull()
    expect(valueByPrice(1n, 78, '1')).toBeNull()
    expect(valueByPrice(1n, 0, '1e400')).toBeNull()
    expect(valueByPrice((1n << 256n) - 1n, 255, '1')).toBeNull()
  })
})
