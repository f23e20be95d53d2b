import { describe, expect, test } from 'vitest'
import { parseExportedNames } from './exported-names.ts'
import { parseNamesTable } from './names-table.ts'

const anna = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bruno = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const HEAD = 'address,name,chainId\n'
const both = [
  { address: anna, name: 'Anna' },
  { address: bruno, name: 'Bruno' },
]

describe('parseNamesTable', () => {
  test('default: the import of exported names accepts the table', () => {
    const found = parseExportedNames(`${HEAD}${anna},Anna,1\n${anna},Anna,10\n${bruno},Bruno,1\n`, 1)
    expect(found).toEqual({ names: both, unusable: 0, elsewhere: 1, leftOut: [] })
  })

  test.each([
    ['quotes', `"address","name","chainId"\n"${anna}","Anna","1"\n"${bruno}","Bruno","1"`],
    ['CRLF', `address,name,chainId\r\n${anna},Anna,1\r\n${bruno},Bruno,1\r\n`],
    ['a mark of the encoding', `\uFEFF"address",name,chainId\n${anna},Anna,1\n${bruno},Bruno,1`],
    ['another order', `chainId,address,name\n1,${anna},Anna\n1,${bruno},Bruno`],
    ['semicolons', `address;name;chainId\n${anna};Anna;1\n${bruno};Bruno;1`],
    ['small letters, spaces and blank lines', `${HEAD}\n ${anna.toLowerCase()} , Anna , 1 \n,,\n${bruno},Bruno,1\n\n`],
  ])('behavior: %s', (_, table) => {
    expect(parseNamesTable(table, 1)).toEqual({ names: both, elsewhere: 0, leftOut: [] })
  })

  test('behavior: quotation marks, commas and line breaks in a name', () => {
    const names = parseNamesTable(`${HEAD}${anna},"Anna ""A"", Ltd",1\n${bruno},"Bru\nno",1`, 1)
    expect(names?.names).toEqual([{ address: anna, name: 'Anna "A", Ltd' }])
    expect(names?.leftOut).toEqual([{ line: 3, typed: 'Bru\nno', about: 'hidden' }])
  })

  test.each([
    ['a formula as a name', `${anna},=HYPERLINK(1),1`, { about: 'formula', typed: '=HYPERLINK(1)' }],
    ['a formula as an address', `"=""${anna}""",Anna,1`, { about: 'address', problem: 'not-an-address' }],
    ['a hidden character', `${anna},An\u202Ena,1`, { about: 'hidden' }],
    ['a long name', `${anna},${'x'.repeat(61)},1`, { about: 'long' }],
    ['no name', `${anna},,1`, { about: 'empty', typed: anna }],
    ['a wrong checksum', `${bruno.replace('C', 'c')},Bruno,1`, { about: 'address', problem: 'bad-checksum' }],
    ['the prefix of a chain', `eth:${anna},Anna,1`, { about: 'address', problem: 'prefix' }],
    ['a chain that is no number', `${anna},Anna,mainnet`, { about: 'chain', typed: 'mainnet' }],
    ['no chain', `${anna},Anna`, { about: 'chain', typed: '' }],
    ['a comma without quotes', `${anna},Anna, Ltd,1`, { about: 'wide' }],
    ['a quotation mark without end', `${anna},"Anna,1`, { about: 'quotes' }],
  ])('behavior: leaves out %s, and takes the others', (_, row, fault) => {
    const found = parseNamesTable(`${HEAD}${row}\n${bruno},Bruno,1`, 1)
    expect(found?.names).toEqual([{ address: bruno, name: 'Bruno' }])
    expect(found?.leftOut).toMatchObject([{ line: 2, ...fault }])
  })

  test('behavior: an address that comes twice keeps its first name', () => {
    const found = parseNamesTable(`${HEAD}${anna},Anna,1\n${anna.toLowerCase()},Other,1`, 1)
    expect(found?.names).toEqual([{ address: anna, name: 'Anna' }])
    expect(found?.leftOut).toEqual([{ line: 3, typed: anna, about: 'twice' }])
  })

  test('behavior: imports the first 2,000 of 10,000 rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')},n,1`)
    const found = parseNamesTable(HEAD + rows.join('\n'), 1)
    expect([found?.names.length, found?.leftOut.length]).toEqual([2_000, 8_000])
    expect(found?.leftOut[0]).toMatchObject({ line: 2_002, about: 'many' })
  })

  test('behavior: a table without valid rows has no names', () => {
    expect(parseNamesTable('address,name,chainId', 1)).toEqual({ names: [], elsewhere: 0, leftOut: [] })
  })

  test.each(['', '\n', `${anna},Anna,1`, 'recipient,amount\n', 'address,name\n'])('behavior: no such table', (text) => {
    expect(parseNamesTable(text, 1)).toBe(null)
  })
})
