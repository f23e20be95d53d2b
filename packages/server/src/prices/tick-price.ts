/** A number that is kept exactly. */
export type Fraction = { numerator: bigint; denominator: bigint }

/** Ticks that a pool can have: what is beyond has no place in its integers. */
export const MAX_TICK = 887_272n

/** Bits behind the point. Each of at most 40 roundings loses less than one of them, and what is left is far more than a price has. */
const BITS = 256n
const ONE = 1n << BITS
/** A tick is a step of one hundredth of a percent. */
const STEP = (ONE * 10_001n) / 10_000n

/**
 * Finds 1.0001 to the power of a tick: how many of the smallest units of a pool's second token one smallest unit of its first
 * one costs. In integers alone, exact to more than 60 digits.
 *
 * @throws RangeError for a tick that no pool has
 */
export function ratioAtTick(tick: bigint): Fraction {
  const steps = tick < 0n ? -tick : tick
  if (steps > MAX_TICK) throw new RangeError(`${tick} is no tick of a pool`)
  let power = ONE
  let square = STEP
  for (let rest = steps; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * square) >> BITS
    square = (square * square) >> BITS
  }
  return tick < 0n ? { numerator: ONE, denominator: power } : { numerator: power, denominator: ONE }
}

/**
 * Finds what one whole unit of a token costs in whole units of the other one of its pool.
 *
 * @param isFirst whether the token is the pool's `token0`
 * @param decimals digits of the token, and of the other one
 */
export function costAtTick(
  tick: bigint,
  { isFirst, token, quote }: { isFirst: boolean; token: number; quote: number },
): Fraction {
  const { numerator, denominator } = ratioAtTick(isFirst ? tick : -tick)
  return { numerator: numerator * 10n ** BigInt(token), denominator: denominator * 10n ** BigInt(quote) }
}

/** Divides towards lower numbers, as the ticks of a pool are rounded. */
export function divideDown(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? quotient - 1n : quotient
}
