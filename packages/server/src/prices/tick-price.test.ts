import { describe, expect, test } from 'vitest'
import { costAtTick, divideDown, MAX_TICK, ratioAtTick } from './tick-price.ts'

/** Square roots of prices with 96 bits behind the point, as the contracts of Uniswap v3 have them at these ticks. */
const known: [bigint, bigint][] = [
  [-887_272n, 4_295_128_739n],
  [-887_271n, 4_295_343_490n],
  [-1n, 79_224_201_403_219_477_170_569_942_574n],
  [0n, 1n << 96n],
  [1n, 79_232_123_823_359_799_118_286_999_568n],
  [887_271n, 1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249n],
  [887_272n, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n],
]

describe('ratioAtTick', () => {
  test.each(known)('default: at %d it is the square of the root that the contracts have', (tick, root) => {
    const { numerator, denominator } = ratioAtTick(tick)
    // The contracts round their root up, by one at most, and are exact to 64 bits.
    const slack = (root >> 64n) + 1n
    const square = (at: bigint) => at * at * denominator
    const exact = numerator << 192n
    expect(square(root - slack) <= exact && exact <= square(root + slack)).toBe(true)
  })

  test.each([1n, 2n, 3n, 100n, 4_055n, 30_000n])('behavior: %d steps are the exact power', (steps) => {
    const exact = { numerator: 10_001n ** steps, denominator: 10_000n ** steps }
    const given = ratioAtTick(steps)
    const difference = exact.numerator * given.denominator - given.numerator * exact.denominator
    // Rounded down, by less than one part in 10^60.
    expect(difference).toBeGreaterThanOrEqual(0n)
    expect(difference * 10n ** 60n).toBeLessThan(exact.numerator * given.denominator)
    const inverse = ratioAtTick(-steps)
    expect(inverse).toEqual({ numerator: given.denominator, denominator: given.numerator })
  })

  test('error: what no pool has', () => {
    expect(() => ratioAtTick(MAX_TICK + 1n)).toThrow(/no tick/)
    expect(() => ratioAtTick(-MAX_TICK - 1n)).toThrow(/no tick/)
  })
})

describe('costAtTick', () => {
  test('default: by the decimals of both, for each of the two', () => {
    const inCents = ({ numerator, denominator }: ReturnType<typeof costAtTick>) => (numerator * 100n) / denominator
    // 1.0001^196256 is 333,321,745.91: what a dollar of 6 decimals costs in a coin of 18, in their smallest units.
    expect(inCents(costAtTick(196_256n, { isFirst: false, token: 18, quote: 6 }))).toBe(300_010n)
    expect(inCents(costAtTick(-196_256n, { isFirst: true, token: 18, quote: 6 }))).toBe(300_010n)
    expect(inCents(costAtTick(0n, { isFirst: true, token: 6, quote: 6 }))).toBe(100n)
  })
})

describe('divideDown', () => {
  test.each([
    [7n, 2n, 3n],
    [-7n, 2n, -4n],
    [-8n, 2n, -4n],
    [0n, 5n, 0n],
  ])('default: %d by %d', (dividend, divisor, quotient) => expect(divideDown(dividend, divisor)).toBe(quotient))
})
