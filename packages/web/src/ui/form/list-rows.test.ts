import { parse, unparse } from 'papaparse'
import { describe, expect, test } from 'vitest'
import { parseRows } from './list-rows.ts'

const address = `0x${'1'.repeat(40)}`

describe('parseRows', () => {
  test('default: reads what another reader reads, of any cells between any delimiters', () => {
    const parts = ['', 'a', '1.5', ' b ', '"', '""', ',', ';', '\t', '\n', '\r\n', 'ä', '0x12']
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    for (let run = 0; run < 2_000; run++) {
      const delimiter = [',', ';', '\t'][next(3)] ?? ','
      const cell = () => Array.from({ length: next(4) }, () => parts[next(parts.length)]).join('')
      // The first line decides between which characters the cells stand.
      const names = Array.from({ length: 2 + next(3) }, (_, index) => `name ${index}`)
      const table = [names, ...Array.from({ length: next(5) }, () => names.map(cell))]
      const list = unparse(table, { delimiter, newline: '\n', quotes: next(2) === 1 })
      const { data } = parse<string[]>(list, { delimiter, newline: '\n' })
      const read = data.map((cells) => cells.map((one) => one.trim())).filter((cells) => cells.some(Boolean))
      const rows = parseRows(list)
      expect(rows.map(({ cells }) => cells)).toEqual(read)
      expect(rows.every(({ openAt }) => openAt === null)).toBe(true)
    }
  })

  test.each<[string, string]>([
    ['nothing closes it', `a,"1\nb,2\n`],
    ['other text follows it', `a,"1"x\nb,2`],
    ['the next one opens another cell', `a,"1\nb,"2"`],
    ['the next one closes another cell', `a,"1\n"b",2`],
    ['a stray one closes it, behind lines that pay', `a,"1\r\n${address},2\r\nb,2"`],
  ])('behavior: a quotation mark ends with its line where %s', (_, list) => {
    const [first, second] = parseRows(list)
    expect(first).toMatchObject({ line: 1, openAt: 1 })
    expect(first?.cells[0]).toBe('a')
    expect(second).toMatchObject({ line: 2, openAt: null })
    expect(second?.cells[1]).toBe('2')
  })

  test('behavior: each one without an end is told by its own line, also behind a cell of several lines', () => {
    const rows = parseRows(`a,"two\nlines","open\n\nb,"x\nc,"3"`)
    expect(rows.map(({ line, openAt }) => [line, openAt])).toEqual([
      [1, 2],
      [4, 4],
      [5, null],
    ])
  })

  test('behavior: 50,000 lines that all have one take no more time than others', () => {
    const rows = parseRows(`${address},"1\n`.repeat(50_000))
    expect(rows).toHaveLength(50_000)
    expect(rows.at(-1)).toEqual({ line: 50_000, cells: [address, '1'], openAt: 50_000 })
  })
})
