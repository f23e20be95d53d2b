import { describe, expect, it } from 'vitest'
import { parseAmount, parseNonce } from './amount.ts'

describe('parseAmount', () => {
  it.each([
    ['1250', 6, 1_250_000_000n],
    ['0.000001', 6, 1n],
    ['1.50', 6, 1_500_000n],
    ['1.5000000', 6, 1_500_000n],
    [' 3 ', 18, 3n * 10n ** 18n],
    ['7', 0, 7n],
    ['007', 0, 7n],
    ['9007199254740993', 0, 9007199254740993n],
  ])('reads %s with %d decimals exactly', (typed, decimals, value) => {
    expect(parseAmount(typed, decimals)).toEqual({ ok: true, value })
  })

  it.each([
    ['', 6, 'empty'],
    ['  ', 6, 'empty'],
    ['1,250', 6, 'separator'],
    ["1'250.5", 6, 'separator'],
    ['1 250', 6, 'separator'],
    ['1\u00a0250', 6, 'separator'],
    ['1\u202f250.5', 6, 'separator'],
    ['1’250', 6, 'separator'],
    ['1e3', 6, 'not-a-number'],
    ['-1', 6, 'not-a-number'],
    ['+1', 6, 'not-a-number'],
    ['1.', 6, 'not-a-number'],
    ['.5', 6, 'not-a-number'],
    ['1.2.3', 6, 'not-a-number'],
    ['0x10', 6, 'not-a-number'],
    ['Infinity', 6, 'not-a-number'],
    ['١٢', 6, 'not-a-number'],
    ['0.0000001', 6, 'too-many-decimals'],
    ['0.5', 0, 'too-many-decimals'],
    ['0', 6, 'zero'],
    ['0.000', 6, 'zero'],
    ['1'.repeat(79), 0, 'too-large'],
    [(1n << 256n).toString(), 0, 'too-large'],
    [((1n << 256n) / 10n ** 18n + 1n).toString(), 18, 'too-large'],
  ] as const)('refuses %j with %d decimals: %s', (typed, decimals, problem) => {
    expect(parseAmount(typed, decimals)).toEqual({ ok: false, problem })
  })

  it('takes the largest uint256', () => {
    const max = (1n << 256n) - 1n
    expect(parseAmount(max.toString(), 0)).toEqual({ ok: true, value: max })
  })
})

describe('parseNonce', () => {
  it('reads whole numbers and nothing else', () => {
    expect(parseNonce('0')).toBe(0n)
    expect(parseNonce(' 12 ')).toBe(12n)
    for (const typed of ['', '-1', '1.5', '01', '0x1', 'x', '9007199254740992', '99999999999999999'])
      expect(parseNonce(typed)).toBeNull()
  })
})
