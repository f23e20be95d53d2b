import type { Hex } from 'viem'

/**
 * A hash in the letters in which a device writes its digits; the `x` of `0x` is small on all.
 *
 * @example
 * formatHashForDevice('0xab12…', 'upper') // 0xAB12…
 */
export function formatHashForDevice(hash: Hex, letterCase: 'upper' | 'lower'): string {
  const digits = hash.slice(2)
  return `0x${letterCase === 'upper' ? digits.toUpperCase() : digits.toLowerCase()}`
}
