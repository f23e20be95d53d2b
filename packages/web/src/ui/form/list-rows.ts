/** One row of a table, the number of its first line, and that of a line in which a quotation mark has no end. */
export type ListRow = { line: number; cells: string[]; openAt: number | null }

type Delimiter = ',' | ';' | '\t'
const plainCell = { ',': /[^,\r\n]*/y, ';': /[^;\r\n]*/y, '\t': /[^\t\r\n]*/y } as const
const restOfLine = /[^\r\n]*/y
const newline = /\r\n|\r|\n/g

/**
 * Parses the rows of a table that are not blank. A cell in quotes may go over several lines. Where a quotation mark has no end, its
 * row ends with its line: the lines after it are read as well.
 *
 * @example
 * parseRows('0x1a…,"1.5\n0x2b…,2') // [{ line: 1, openAt: 1, … }, { line: 2, openAt: null, … }]
 */
export function parseRows(list: string): ListRow[] {
  const first = /[^\r\n]*\S[^\r\n]*/.exec(list)?.[0] ?? ''
  const delimiter = first.includes('\t') ? '\t' : first.includes(';') ? ';' : ','
  const rows: ListRow[] = []
  let line = 1
  for (let at = 0; at < list.length; ) {
    const { cells, quote, next } = readRow(list, at, delimiter)
    const openAt = quote === null ? null : line + countLines(list, at, quote)
    if (openAt !== null || cells.some((cell) => cell !== '')) rows.push({ line, cells, openAt })
    line += countLines(list, at, next)
    at = next
  }
  return rows
}

/** The cells of one row, where a quotation mark stands that has no end, and where the next row begins. */
function readRow(list: string, from: number, delimiter: Delimiter) {
  const cells: string[] = []
  for (let at = from; ; ) {
    const isQuoted = list[at] === '"'
    const end = isQuoted ? endOfQuoted(list, at, delimiter) : endOf(plainCell[delimiter], list, at)
    if (end === null) {
      const endOfLine = endOf(restOfLine, list, at)
      cells.push(list.slice(at + 1, endOfLine).trim())
      return { cells, quote: at, next: afterNewline(list, endOfLine) }
    }
    const cell = list.slice(at, end).trim()
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell)
    if (list[end] !== delimiter) return { cells, quote: null, next: afterNewline(list, end) }
    at = end + 1
  }
}

/** Where a cell in quotes ends, with the spaces after it; null where other text follows, or nothing closes it. */
function endOfQuoted(list: string, open: number, delimiter: Delimiter): number | null {
  let close = list.indexOf('"', open + 1)
  while (close !== -1 && list[close + 1] === '"') close = list.indexOf('"', close + 2)
  if (close === -1) return null
  const end = endOf(/ */y, list, close + 1)
  const isClosed = end === list.length || list[end] === delimiter || list[end] === '\r' || list[end] === '\n'
  return isClosed && !hidesPayments(list.slice(open, close)) ? end : null
}

/** Two marks too many make one cell of the lines between them: a note of several lines has no addresses in them. */
function hidesPayments(cell: string): boolean {
  const end = cell.search(newline)
  return end !== -1 && /0x[0-9a-f]{40}/i.test(cell.slice(end))
}

function endOf(pattern: RegExp, list: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(list)
  return pattern.lastIndex
}

function afterNewline(list: string, end: number): number {
  return end + (list.startsWith('\r\n', end) ? 2 : 1)
}

function countLines(list: string, from: number, to: number): number {
  return list.slice(from, to).match(newline)?.length ?? 0
}
