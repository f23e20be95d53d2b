import { type Address, hexToBigInt } from 'viem'

/** Digits that are the same at both ends, taken together: no accident, and what a screen shows of an address. */
const ALIKE_DIGITS = 8
/** At each end at least: contracts that belong together often have the same beginning, and count up at the end. */
const ALIKE_AT_EACH_END = 2
/** Many contracts have an address with zeros in front on purpose; more of them than this say nothing. */
const ZEROS_THAT_COUNT = 4
/** Contracts that a chain brings along have small numbers for addresses. */
const SMALL = 2n ** 48n

/**
 * Digits that two addresses must have in common to be compared at all.
 *
 * @example
 * addressEnds('0xdAC17F958D2ee523a2206206994597C13D831ec7') // 'dac7'
 */
export function addressEnds(address: string): string {
  return `${address.slice(2, 2 + ALIKE_AT_EACH_END)}${address.slice(-ALIKE_AT_EACH_END)}`.toLowerCase()
}

/**
 * Whether a person would take one address for the other: eight digits or more are the same at the two ends together.
 *
 * @example
 * isAlikeAddress('0xdAC17F958D2ee523a2206206994597C13D831ec7', '0xdac17000000000000000000000000000000d1ec7') // true
 */
export function isAlikeAddress(one: Address, other: Address): boolean {
  const [left, right] = [one.slice(2).toLowerCase(), other.slice(2).toLowerCase()]
  if (left === right || hexToBigInt(`0x${left}`) < SMALL || hexToBigInt(`0x${right}`) < SMALL) return false
  const same = (from: (index: number) => number) => {
    let count = 0
    while (left[from(count)] === right[from(count)]) count++
    return count
  }
  const start = same((index) => index)
  const zeros = Math.min(start, /^0*/.exec(left)?.[0].length ?? 0)
  const end = same((index) => 39 - index)
  return start - Math.max(0, zeros - ZEROS_THAT_COUNT) + end >= ALIKE_DIGITS && end >= ALIKE_AT_EACH_END
}
