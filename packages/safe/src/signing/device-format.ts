import type { Hex } from 'viem'

/**
 * Formats a hash in the letter case that a device shows. The `x` of `0x` is always lower case.
 *
 * @example
 * formatHashForDevice('0xab12…', 'upper') // 0xAB12…
 */
export function formatHashForDevice(hash: Hex, letterCase: 'upper' | 'lower'): string {
  const digits = hash.slice(2)
  return `0x${letterCase === 'upper' ? digits.toUpperCase() : digits.toLowerCase()}`
}
