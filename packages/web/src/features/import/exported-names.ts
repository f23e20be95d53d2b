import { parseJson } from '@countersign/safe'
import { type Address, getAddress, isAddress } from 'viem'
import { type LeftOutLine, MAX_NAME, MAX_NAMES, parseNamesTable } from './names-table.ts'

/** Characters of a file. */
const MAX_FILE = 5_000_000

export type ExportedNames = {
  names: { address: Address; name: string }[]
  /** Entries that are no address with a name of at most 60 characters, or are behind the first 2,000. */
  unusable: number
  /** Number of rows for other chains, if the file is a table. */
  elsewhere?: number
  /** Lines of a table that are not imported. */
  leftOut?: LeftOutLine[]
}

/**
 * Reads the names for one chain from the data export of Safe{Wallet}: `data.addressBook` by chain and address (versions 2
 * and 3), or a list as text in `data.SAFE__addressBook` (version 1). Reads the CSV of its address book as well.
 *
 * @returns null when it is no such file
 */
export function parseExportedNames(text: string, chainId: number): ExportedNames | null {
  if (text.length > MAX_FILE) return null
  const table = /^\s*[{[]/.test(text) ? null : parseNamesTable(text, chainId)
  if (table) return { ...table, unusable: 0 }
  const { data } = asObject(parseJson(text))
  const { addressBook, SAFE__addressBook: list } = asObject(data)
  const entries = typeof list === 'string' ? listed(parseJson(list), chainId) : byChain(addressBook, chainId)
  if (entries === null) return null
  const names = new Map<Address, string>()
  for (const [address, name] of entries.slice(0, MAX_NAMES)) {
    const isUsable = typeof address === 'string' && isAddress(address, { strict: address !== address.toLowerCase() })
    const trimmed = typeof name === 'string' ? name.trim() : ''
    if (!isUsable || trimmed === '' || trimmed.length > MAX_NAME || names.has(getAddress(address))) continue
    names.set(getAddress(address), trimmed)
  }
  return {
    names: [...names].map(([address, name]) => ({ address, name })),
    unusable: entries.length - names.size,
  }
}

function byChain(book: unknown, chainId: number): [unknown, unknown][] | null {
  if (typeof book !== 'object' || book === null) return null
  return Object.entries(asObject(asObject(book)[chainId]))
}

function listed(list: unknown, chainId: number): [unknown, unknown][] | null {
  if (!Array.isArray(list)) return null
  return list
    .map(asObject)
    .filter((entry) => entry.chainId === chainId || entry.chainId === String(chainId))
    .map(({ address, name }) => [address, name])
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
