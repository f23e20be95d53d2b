import { concatHex, encodeAbiParameters, type Hex, numberToHex, pad, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeDecimals, decodeTokenText, decodeWord } from './token-claims.ts'

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const word = (value: number | bigint): Hex => numberToHex(value, { size: 32 })

describe('decodeTokenText', () => {
  test('default: a string', () => {
    expect(decodeTokenText(text('Test Dollar'))).toBe('Test Dollar')
    expect(decodeTokenText(text(''))).toBe('')
  })

  test('behavior: the one word of old tokens', () => {
    expect(decodeTokenText(pad(stringToHex('MKR'), { dir: 'right', size: 32 }))).toBe('MKR')
  })

  test('behavior: an answer that was cut ends with …, whatever length it claims', () => {
    const bytes = stringToHex('A'.repeat(64))
    for (const length of [65n, 10_000_000n, 2n ** 256n - 1n])
      expect(decodeTokenText(concatHex([word(32), word(length), bytes]))).toBe(`${'A'.repeat(64)}…`)
    expect(decodeTokenText(concatHex([word(32), word(64), bytes]))).toBe('A'.repeat(64))
  })

  test('behavior: what is no UTF-8 becomes a replacement character, and nothing is thrown', () => {
    expect(decodeTokenText(concatHex([word(32), word(2), pad('0xfe41', { dir: 'right', size: 32 })]))).toBe('�A')
  })

  test('error: null for what is no text', () => {
    const answers: Hex[] = [
      '0x',
      '0x41',
      concatHex([word(32), '0x00']),
      concatHex([word(33), word(0)]),
      concatHex([word(2n ** 256n - 1n), word(1), word(1)]),
      concatHex([word(32), word(1)]),
    ]
    for (const answer of answers) expect(decodeTokenText(answer)).toBeNull()
  })
})

describe('decodeDecimals', () => {
  test('default: up to 36', () => {
    expect([0, 6, 18, 36].map((value) => decodeDecimals(word(value)))).toEqual([0, 6, 18, 36])
  })

  test('error: null for more, and for what is no word', () => {
    const answers: Hex[] = [word(37), word(255), word(2n ** 255n), '0x', '0x06', concatHex([word(6), '0x00'])]
    for (const answer of answers) expect(decodeDecimals(answer)).toBeNull()
  })
})

describe('decodeWord', () => {
  test('error: null for more or less than a word', () => {
    expect(decodeWord(word(5))).toBe(5n)
    expect(decodeWord('0x05')).toBeNull()
    expect(decodeWord(concatHex([word(5), word(0)]))).toBeNull()
  })
})
