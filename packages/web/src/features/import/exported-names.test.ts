import { describe, expect, test } from 'vitest'
import { parseExportedNames } from './exported-names.ts'

const anna = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bruno = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const read = (value: unknown, chainId = 1) => parseExportedNames(JSON.stringify(value), chainId)

describe('parseExportedNames', () => {
  test('default: the names of one chain, of each version of the file', () => {
    const book = { '1': { [anna.toLowerCase()]: ' Anna ', [bruno]: 'Bruno' }, '10': { [anna]: 'Elsewhere' } }
    const found = {
      names: [
        { address: anna, name: 'Anna' },
        { address: bruno, name: 'Bruno' },
      ],
      unusable: 0,
    }
    expect(read({ version: '2.0', data: { addressBook: book, addedSafes: {} } })).toEqual(found)
    expect(read({ version: '3.0', data: { addressBook: book, undeployedSafes: {}, visitedSafes: {} } })).toEqual(found)
    const list = [
      { address: anna, name: 'Anna', chainId: '1' },
      { address: bruno, name: 'Bruno', chainId: 1 },
      { address: bruno, name: 'Elsewhere', chainId: '10' },
    ]
    expect(read({ version: '1.0', data: { SAFE__addressBook: JSON.stringify(list) } })).toEqual(found)
    expect(read({ version: '2.0', data: { addressBook: book } }, 5)).toEqual({ names: [], unusable: 0 })
  })

  test('behavior: counts what is no name of an address, and what is too much', () => {
    const wrongChecksum = bruno.replace('C', 'c')
    const bad = { [anna]: 'x'.repeat(61), [wrongChecksum]: 'Bruno', me: 'Me', [bruno]: {}, [anna.toLowerCase()]: '  ' }
    expect(read({ version: '2.0', data: { addressBook: { '1': bad } } })).toEqual({ names: [], unusable: 5 })
    const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [address(index), 'n']))
    const found = read({ version: '2.0', data: { addressBook: { '1': many } } })
    expect([found?.names.length, found?.unusable]).toEqual([2_000, 8_000])
  })

  test('behavior: an entry that is nested a hundred thousand deep takes no other along', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const list = `[{"chainId":${deep},"address":"${anna}","name":"x"},{"chainId":1,"address":"${anna}","name":"Anna"}]`
    const found = parseExportedNames(JSON.stringify({ data: { SAFE__addressBook: list } }), 1)
    expect(found).toEqual({ names: [{ address: anna, name: 'Anna' }], unusable: 0 })
  })

  test.each(['<html>', '7', 'null', '{}', '{"data":[]}', '{"data":{"SAFE__addressBook":"{}"}}', ' '.repeat(5_000_001)])(
    'behavior: no such file',
    (text) => {
      expect(parseExportedNames(text, 1)).toBe(null)
    },
  )
})
