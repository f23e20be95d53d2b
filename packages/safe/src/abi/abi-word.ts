import { concatHex, type Hex, hexToBytes, isAddress, isHex, keccak256 } from 'viem'
import { fail } from '../error-sentences.ts'

/**
 * A value as it stands in an error: its beginning when it is long, its type when it is no single value.
 *
 * @example
 * showValue({ some: 'object' }) // 'object'
 */
export function showValue(value: unknown, length = 100): string {
  const isObject = typeof value === 'object' && value !== null
  const text = isObject || typeof value === 'function' ? typeof value : String(value)
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/**
 * An unsigned number as one ABI word of 32 bytes.
 *
 * @param field - its name, for the error.
 * @throws CountersignError `FIELD_MALFORMED` when it is no whole number from 0 to 2^bits - 1.
 * @example
 * uintWord('threshold', 2n) // '0x000…02'
 */
export function uintWord(field: string, value: bigint | number, bits: 8 | 256 = 256): Hex {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
  if (!isWhole || value < 0 || BigInt(value) >> BigInt(bits) !== 0n) {
    throw fail('FIELD_MALFORMED', { reason: 'number', field, value: showValue(value), bits })
  }
  return `0x${value.toString(16).padStart(64, '0')}`
}

/**
 * An address as one ABI word of 32 bytes.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it is no address, or its EIP-55 checksum is wrong.
 * @example
 * addressWord('to', '0x255C3912f91eF11bFDadd405F13144a823Da8cc5')
 */
export function addressWord(field: string, value: string): Hex {
  if (typeof value !== 'string' || !isAddress(value))
    throw fail('FIELD_MALFORMED', { reason: 'address', field, value: showValue(value) })
  return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
}

/**
 * keccak256 of bytes, as EIP-712 puts `bytes` into a struct.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it is no hex of whole bytes.
 */
export function hashBytes(field: string, value: Hex): Hex {
  assertBytes(field, value)
  // As bytes: viem would look at each digit once more.
  return keccak256(hexToBytes(value))
}

/**
 * Whether a value is `0x` and hex digits, two for each byte.
 *
 * @example
 * isBytes('0xabc') // false
 */
export function isBytes(value: unknown): value is Hex {
  return typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value)
}

/**
 * Refuses what is no hex of whole bytes.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it is no hex of whole bytes.
 * @example
 * assertBytes('data', '0xabcd')
 */
export function assertBytes(field: string, value: Hex): void {
  if (!isBytes(value)) throw fail('FIELD_MALFORMED', { reason: 'bytes', field, value: showValue(value) })
}

/** @throws CountersignError `FIELD_MALFORMED` when it is no hex of 32 bytes. */
export function assertHash(field: string, value: Hex): void {
  if (!isBytes(value) || value.length !== 66)
    throw fail('FIELD_MALFORMED', { reason: 'hash', field, value: showValue(value) })
}

/** keccak256 of `abi.encode` of words. */
export function hashWords(words: readonly Hex[]): Hex {
  return keccak256(concatHex(words))
}

/**
 * Whether it is hex of so many characters at most. A longer one is not looked through: a node may send 100 MB of them.
 *
 * @example
 * isHexWithin('0xabcd', 66) // true
 */
export function isHexWithin(value: unknown, characters: number): value is Hex {
  return typeof value === 'string' && value.length <= characters && isHex(value)
}
