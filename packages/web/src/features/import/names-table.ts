import type { Address } from 'viem'
import { type ListRow, parseRows } from '../../ui/form/list-rows.ts'
import { type AddressProblem, parseAddress } from '../../ui/form/parse-address.ts'

/** Most names that an owner can add to the address book of a Safe. */
export const MAX_NAMES = 2_000
/** Most characters of a name. */
export const MAX_NAME = 60
/** Characters that the server refuses in a name, because they can make it look like another name. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u

/** A line that is not imported, and the reason. `typed` is the text at fault. */
export type LeftOutLine = { line: number; typed: string } & (
  | { about: 'address'; problem: AddressProblem }
  | { about: 'chain' | 'empty' | 'formula' | 'hidden' | 'long' | 'many' | 'quotes' | 'twice' | 'wide' }
)

export type NamesTable = {
  names: { address: Address; name: string }[]
  /** Number of rows for other chains. */
  elsewhere: number
  leftOut: LeftOutLine[]
}

type Columns = { address: number; name: number; chainId: number; width: number }

/**
 * Parses the names for one chain from the address book CSV of Safe{Wallet}. The first line has the columns `address`, `name` and
 * `chainId` in any order. Each row is for one chain of an address.
 *
 * @returns null if the text is not such a table
 */
export function parseNamesTable(text: string, chainId: number): NamesTable | null {
  const [head, ...rows] = parseRows(text.replace(/^\uFEFF/, ''))
  const columns = head && columnsOf(head)
  if (!columns) return null
  const names = new Map<Address, string>()
  const leftOut: LeftOutLine[] = []
  let elsewhere = 0
  for (const row of rows) {
    const read = readRow(row, columns, chainId)
    if (read === 'elsewhere') elsewhere += 1
    else if ('about' in read) leftOut.push(read)
    else if (names.has(read.address)) leftOut.push({ line: row.line, typed: read.address, about: 'twice' })
    else if (names.size === MAX_NAMES) leftOut.push({ line: row.line, typed: read.name, about: 'many' })
    else names.set(read.address, read.name)
  }
  return { names: [...names].map(([address, name]) => ({ address, name })), elsewhere, leftOut }
}

function columnsOf({ cells, openAt }: ListRow): Columns | null {
  const heads = cells.map((cell) => cell.toLowerCase())
  const [address, name, chainId] = ['address', 'name', 'chainid'].map((head) => heads.indexOf(head))
  if (openAt !== null || address === undefined || name === undefined || chainId === undefined) return null
  return Math.min(address, name, chainId) < 0 ? null : { address, name, chainId, width: cells.length }
}

function readRow(
  { line, cells, openAt }: ListRow,
  columns: Columns,
  chainId: number,
): 'elsewhere' | LeftOutLine | { address: Address; name: string } {
  if (openAt !== null) return { line: openAt, typed: '', about: 'quotes' }
  const [typed = '', name = '', chain = ''] = [columns.address, columns.name, columns.chainId].map((at) => cells[at])
  // A comma in an unquoted name shifts the cells after it.
  if (cells.slice(columns.width).some((cell) => cell !== '')) return { line, typed: cells.join(','), about: 'wide' }
  if (!/^[1-9][0-9]{0,15}$/.test(chain)) return { line, typed: chain, about: 'chain' }
  if (Number(chain) !== chainId) return 'elsewhere'
  const read = parseAddress(typed)
  if (!read.ok) return { line, typed, about: 'address', problem: read.problem }
  if (name === '') return { line, typed: read.address, about: 'empty' }
  if (name.length > MAX_NAME) return { line, typed: name, about: 'long' }
  if (hidden.test(name)) return { line, typed: name, about: 'hidden' }
  if (name.startsWith('=')) return { line, typed: name, about: 'formula' }
  return { address: read.address, name }
}
