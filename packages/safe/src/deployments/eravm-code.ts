import { type Hex, sha256, size, slice } from 'viem'

/**
 * Hashes by which the machine of zkSync (EraVM) knows the code of the official proxies, by version of their factory. Its
 * CREATE2 takes these instead of creation code.
 */
export const eravmProxyHashes: ReadonlyMap<string, Hex> = new Map([
  ['1.3.0', '0x0100004124426fb9ebb25e27d670c068e52f9ba631bd383279a188be47e3f86d'],
  ['1.4.1', '0x0100003b6cfa15bd7d1cae1c9c022074524d7785d34859ad0576d8fab4305d4f'],
])

/** Two bytes count the words. */
const MAX_WORDS = 0xffff

/**
 * The hash by which EraVM knows code: `0x0100`, the number of its words in two bytes, and the last 28 bytes of its sha256.
 *
 * @returns null for what is no code there: that is an odd number of words of 32 bytes.
 *
 * @example
 * hashEravmCode(code) // '0x01000041…' for the proxy of a Safe 1.3.0 on zkSync
 */
export function hashEravmCode(code: Hex): Hex | null {
  const words = size(code) / 32
  if (!Number.isInteger(words) || words % 2 === 0 || words > MAX_WORDS) return null
  return `0x0100${words.toString(16).padStart(4, '0')}${slice(sha256(code), 4).slice(2)}`
}
