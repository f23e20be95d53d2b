import fc from 'fast-check'
import { concat, encodeFunctionData, getAddress, type Hex, pad, size, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { multiSendAbi } from '../abi/abi.ts'
import { decodeBatch, decodeMultiSend, encodeMultiSend } from './multi-send.ts'

const to = '0x1111111111111111111111111111111111111111'

function wrap(packed: Hex): Hex {
  return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [packed] })
}

function entry(operation: Hex, length: number, data: Hex): Hex {
  return concat([operation, to, pad('0x00', { size: 32 }), pad(`0x${length.toString(16)}`, { size: 32 }), data])
}

describe('multiSend', () => {
  it('comes back as it went in', () => {
    const calls = [
      { to, value: 0n, data: '0x', operation: 0 },
      { to, value: 12n, data: '0xdeadbeef', operation: 0 },
      { to, value: 2n ** 255n, data: `0x${'ab'.repeat(100)}`, operation: 1 },
    ] as const
    expect(decodeMultiSend(encodeMultiSend(calls))).toEqual(calls)
    expect(decodeMultiSend(encodeMultiSend([]))).toEqual([])
  })

  it.each([
    ['leftover bytes', wrap(concat([entry('0x00', 0, '0x'), '0x00']))],
    ['a head cut off', wrap('0x00')],
    ['a length beyond the end', wrap(entry('0x00', 5, '0xdeadbeef'))],
    ['a huge length', wrap(concat(['0x00', to, pad('0x00', { size: 32 }), `0x${'ff'.repeat(32)}`]))],
    ['operation 2', wrap(entry('0x02', 0, '0x'))],
    ['trailing calldata', concat([wrap(entry('0x00', 0, '0x')), '0x00'])],
    ['another offset', wrap(entry('0x00', 0, '0x')).replace('20', '40') as Hex],
    ['another function', '0xdeadbeef'],
  ] as const)('refuses %s', (_name, data) => {
    expect(() => decodeMultiSend(data)).toThrow(expect.objectContaining({ code: 'MULTISEND_MALFORMED' }))
  })

  it.each(Array.from({ length: 254 }, (_, index) => index + 2))('refuses operation %i', (operation) => {
    const first = entry('0x00', 1, '0xaa')
    const data = wrap(concat([first, entry(toHex(operation, { size: 1 }), 0, '0x'), entry('0x00', 0, '0x')]))
    const { entries, problems, undecoded } = decodeBatch(data)
    expect(entries.map((entry) => entry.data)).toEqual(['0xaa'])
    expect(problems).toMatchObject([{ id: 'batch-operation', start: 68 + 86, end: 68 + 86 + 170 }])
    expect(undecoded).toEqual([{ start: 68 + 86, end: 68 + 86 + 170 }])
    expect(() => decodeMultiSend(data)).toThrow(`operation ${operation}`)
  })

  it.each([1, 31, 32])('says that the contract ignores %i bytes at the end', (left) => {
    const { entries, problems } = decodeBatch(wrap(concat([entry('0x00', 0, '0x'), `0x${'ee'.repeat(left)}`])))
    expect(entries).toHaveLength(1)
    expect(problems).toMatchObject([{ id: 'batch-leftover', start: 153, end: 153 + left }])
  })

  it.each([33, 84])('tells %i bytes at the end, which the contract would read beyond, from that', (left) => {
    expect(decodeBatch(wrap(`0x${'ee'.repeat(left)}`)).problems).toMatchObject([{ id: 'batch-head', start: 68 }])
  })

  it('keeps the entries before one that runs over', () => {
    const data = wrap(concat([entry('0x00', 4, '0xdeadbeef'), entry('0x01', 40, '0xdeadbeef')]))
    const { entries, problems } = decodeBatch(data)
    expect(entries.map(({ range }) => range)).toEqual([{ start: 153, end: 157 }])
    expect(problems).toMatchObject([{ id: 'batch-overrun', start: 157, end: 246 }])
  })

  it.each([
    ['an offset that goes back', '0x8d80ff0a', 0],
    ['an offset beyond the end', '0x8d80ff0a', 10_000],
    ['an offset of 2^256 - 32', '0x8d80ff0a', -32],
    ['an offset that skips a word', '0x8d80ff0a', 64],
    ['an odd offset', '0x8d80ff0a', 33],
  ] as const)('finds %s', (_name, selector, offset) => {
    const word = toHex(BigInt.asUintN(256, BigInt(offset)), { size: 32 })
    const body: Hex = `0x${wrap(entry('0x00', 0, '0x')).slice(10 + 64)}`
    const { problems } = decodeBatch(concat([selector, word, body, `0x${'00'.repeat(64)}`]))
    expect(problems[0]?.id).toBe('batch-encoding')
  })

  describe('of Safe 1.0.0 and before', () => {
    const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
    const inWords = (offset: number, data: Hex, length = size(data)) =>
      wrap(concat([word(1), pad(to), word(7), word(offset), word(length), padEnd(data)]))
    const padEnd = (data: Hex) => pad(data, { size: Math.ceil(size(data) / 32) * 32, dir: 'right' })

    it('has its entries in whole words', () => {
      const data = inWords(128, '0xdeadbeef')
      expect(decodeBatch(data, 'any')).toEqual({
        layout: 'words',
        entries: [{ operation: 1, to, value: 7n, data: '0xdeadbeef', range: { start: 228, end: 232 } }],
        problems: [],
        undecoded: [],
      })
      expect(decodeBatch(data).problems).toHaveLength(1)
    })

    it.each([
      ['an offset that the contract would not look at', inWords(96, '0xdeadbeef')],
      ['an offset far away', inWords(2 ** 40, '0xdeadbeef')],
      ['a length beyond the end', inWords(128, '0xdeadbeef', 33)],
      ['dirty padding', inWords(128, '0xdeadbeef', 3)],
    ])('is not taken for one with %s', (_name, data) => {
      expect(decodeBatch(data, 'any')).toMatchObject({ layout: 'packed', problems: [{}] })
    })

    it('is nobody’s batch when it is a later one as well', () => {
      const data = wrap(concat([word(0), word(0), word(75n << 88n), word(128), word(0)]))
      expect(decodeBatch(data)).toMatchObject({ problems: [], entries: [{ operation: 0 }] })
      expect(decodeBatch(data, 'any')).toMatchObject({ problems: [{ id: 'batch-two-layouts' }], entries: [] })
    })
  })

  it('has no entry in a batch of nothing', () => {
    expect(decodeBatch(wrap('0x'))).toEqual({ layout: 'packed', entries: [], problems: [], undecoded: [] })
  })

  it.each([
    ['value', { value: 2n ** 256n }],
    ['value', { value: -1n }],
    ['to', { to: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9b' }],
    ['data', { data: '0xabc' }],
    ['data', { data: '0xzz' }],
  ] as const)('writes no batch with a wrong %s', (field, change) => {
    expect(() => encodeMultiSend([{ to, value: 0n, data: '0x', ...change }])).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ field }) }),
    )
  })

  it('comes back as it went in, whatever the entries are', () => {
    const bytes = (length: { minLength?: number; maxLength: number }) =>
      fc.uint8Array(length).map((all): Hex => `0x${Buffer.from(all).toString('hex')}`)
    const entry = fc.record({
      to: bytes({ minLength: 20, maxLength: 20 }).map((hex) => getAddress(hex)),
      value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      data: bytes({ maxLength: 100 }),
      operation: fc.constantFrom<(0 | 1)[]>(0, 1),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (calls) => {
        const data = encodeMultiSend(calls)
        expect(decodeMultiSend(data)).toEqual(calls)
        expect(encodeMultiSend(decodeMultiSend(data))).toBe(data)
      }),
      runs(200),
    )
  })
})
