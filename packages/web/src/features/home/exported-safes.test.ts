import { describe, expect, test } from 'vitest'
import { parseExportedSafes } from './exported-safes.ts'

const one = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const two = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const read = (addedSafes: unknown) => parseExportedSafes(JSON.stringify({ version: '3.0', data: { addedSafes } }))

describe('parseExportedSafes', () => {
  test('default: those that somebody added, on all chains', () => {
    const of = { owners: [{ value: one }], threshold: 1 }
    expect(read({ '1': { [one.toLowerCase()]: of, [two]: of }, '10': { [one]: of } })).toEqual({
      safes: [
        { chainId: 1, address: one },
        { chainId: 1, address: two },
        { chainId: 10, address: one },
      ],
      unusable: 0,
    })
    expect(read({})).toEqual({ safes: [], unusable: 0 })
  })

  test('behavior: counts what is no address on a chain, and what is too much', () => {
    const bad = {
      '1': { me: {}, [two.replace('C', 'c')]: {} },
      '0': { [one]: {} },
      '1e3': { [one]: {} },
      constructor: 7,
    }
    expect(read(bad)).toEqual({ safes: [], unusable: 4 })
    const address = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [address(index), {}]))
    const found = read({ '1': many })
    expect([found?.safes.length, found?.unusable]).toEqual([500, 2_500])
  })

  test.each(['<html>', '7', 'null', '{}', '{"data":[]}', '{"data":{"addedSafes":[]}}', ' '.repeat(5_000_001)])(
    'behavior: no such file',
    (text) => expect(parseExportedSafes(text)).toBeNull(),
  )
})
