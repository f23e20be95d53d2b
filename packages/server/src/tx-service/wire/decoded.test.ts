import { describeCall, encodeMultiSend } from '@countersign/safe/calls'
import fc from 'fast-check'
import { concat, type Hex, pad, slice, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../../scripts/testing/random-tests.mjs'
import { decodeCall, toDecoded } from './decoded.ts'

const to = pad('0x22', { size: 20 })
/** MultiSendCallOnly 1.4.1. */
const library: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const word = (value: bigint | number): Hex => pad(toHex(value))
const batch = encodeMultiSend([
  { to, value: 1n, data: '0x1234' },
  { to, value: 0n, data: encodeMultiSend([{ to, value: 2n, data: '0x' }]) },
])

function decode(data: Hex, place: { to?: Hex; operation?: 0 | 1 } = {}) {
  return toDecoded(describeCall({ to, value: 0n, operation: 0, safeAddress: to, ...place, data }))
}

describe('toDecoded', () => {
  test.each<[string, Hex]>([
    ['the selector alone', '0x8d80ff0a'],
    ['half of a word', concat(['0x8d80ff0a', `0x${'00'.repeat(16)}`])],
    ['an offset alone', concat(['0x8d80ff0a', word(32)])],
    ['an offset beyond the end', concat(['0x8d80ff0a', word(4_096), word(0)])],
    ['an offset of 2^256 - 1', concat(['0x8d80ff0a', word(2n ** 256n - 1n), word(0)])],
    ['a length beyond the end', concat(['0x8d80ff0a', word(32), word(4_096)])],
    ['a length of 2^255', concat(['0x8d80ff0a', word(32), word(2n ** 255n)])],
    ['a batch without its last word', slice(batch, 0, batch.length / 2 - 1 - 32)],
    ['a batch that is cut in its first entry', slice(batch, 0, 100)],
    ['a batch inside of a batch that is cut', encodeMultiSend([{ to, value: 0n, data: slice(batch, 0, 90) }])],
    ['a batch inside of another Safe that is cut', `0x6a761202${'00'.repeat(64)}8d80ff0a`],
  ])('behavior: %s is not decoded, or in part, and never thrown at', (_, data) => {
    for (const place of [{}, { to: library, operation: 1 as const }, { to: library }]) {
      const decoded = decode(data, place)
      expect(JSON.parse(JSON.stringify(decoded))).toEqual(decoded)
    }
  })

  test('behavior: a batch whose bytes cannot be found has no decoded parameters', () => {
    expect(decode('0x8d80ff0a')).toBeNull()
    const parts = { to: library, operation: 1, safeAddress: zeroAddress, value: null } as const
    expect(decodeCall({ ...parts, data: '0x8d80ff0a' })).toBeNull()
  })

  test('behavior: random, truncated and changed bytes never cause an exception', () => {
    const selectors = fc.constantFrom<Hex>(
      '0x8d80ff0a',
      '0x6a761202',
      '0xac9650d8',
      '0x82ad56cb',
      '0xa9059cbb',
      '0xb63e800d',
      '0x468721a7',
      '0x1f931c1c',
      '0x4f1ef286',
      '0x252dba42',
      '0x01d5062a',
      '0xe38335e5',
      '0x24856bc3',
    )
    const hex = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes): Hex => toHex(bytes))
    const number = fc.oneof(fc.nat(512), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constant(2n ** 256n - 1n))
    const crafted = fc
      .tuple(selectors, fc.array(number.map(word), { maxLength: 16 }), hex(40))
      .map(([selector, words, rest]) => concat([selector, ...words, rest]))
    const changed = fc
      .tuple(fc.nat(batch.length / 2 - 2), fc.nat(255), fc.nat(batch.length / 2 - 1))
      .map(([at, byte, end]) => {
        const bytes = Buffer.from(batch.slice(2), 'hex')
        bytes[at] = byte
        return toHex(bytes.subarray(0, end))
      })
    const nested = fc.oneof(crafted, changed).map((data) => encodeMultiSend([{ to, value: 0n, data }]))
    fc.assert(
      fc.property(fc.oneof(hex(200), crafted, changed, nested), fc.constantFrom(to, library), (data, target) => {
        for (const operation of [0, 1] as const) {
          const decoded = decode(data, { to: target, operation })
          expect(JSON.parse(JSON.stringify(decoded))).toEqual(decoded)
        }
      }),
      runs(300),
    )
  })
})
