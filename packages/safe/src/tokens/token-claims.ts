import { bytesToString, type Hex, hexToBigInt, hexToBytes, size, slice } from 'viem'

/** More than any real token has; an amount with more is shown in the smallest unit. */
const MAX_DECIMALS = 36

/**
 * A name or symbol as a token contract answers it, made of the bytes that came: a length that it claims counts for
 * nothing. Tokens from before the standard answer one word. The text is the contract's own: show it with showUntrusted.
 * Null when the answer is no text.
 */
export function decodeTokenText(answer: Hex): string | null {
  const length = size(answer)
  if (length === 32) return bytesToString(hexToBytes(answer)).replace(/\0+$/, '')
  if (length < 64) return null
  const offset = hexToBigInt(slice(answer, 0, 32))
  if (offset + 32n > BigInt(length)) return null
  const start = Number(offset) + 32
  const claimed = hexToBigInt(slice(answer, start - 32, start))
  if (claimed === 0n) return ''
  if (start === length) return null
  const available = length - start
  const isCut = claimed > BigInt(available)
  const bytes = hexToBytes(slice(answer, start, isCut ? length : start + Number(claimed)))
  return bytesToString(bytes) + (isCut ? '…' : '')
}

/** Null when the contract says none, or none that can be meant: the amount is then in the smallest unit. */
export function decodeDecimals(answer: Hex): number | null {
  const value = decodeWord(answer)
  return value !== null && value <= BigInt(MAX_DECIMALS) ? Number(value) : null
}

/**
 * Exactly one word: anything else is the answer to another question.
 *
 * @example
 * decodeWord(answer) // 18n
 */
export function decodeWord(answer: Hex): bigint | null {
  return size(answer) === 32 ? hexToBigInt(answer) : null
}
