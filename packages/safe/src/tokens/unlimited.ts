/** No token has so many base units: an allowance of as much sets no limit. */
const UNLIMITED = 1n << 128n
/** Tokens that count in 96 bits take this for unlimited. */
const MAX_UINT96 = (1n << 96n) - 1n

/**
 * Whether an allowance of so many base units sets no limit: it is said as a word then, not by digits that nobody reads.
 *
 * @example
 * isUnlimited(2n ** 256n - 1n) // true
 */
export function isUnlimited(amount: bigint): boolean {
  return amount >= UNLIMITED || amount === MAX_UINT96
}
