type Cell = string | number | bigint | boolean | null

/** One line of CSV (RFC 4180). */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** A cell that begins like a formula would be run as one by a spreadsheet. A negative number is none. */
function cell(value: Cell): string {
  const text = value === null ? '' : String(value)
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  const harmless = /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
