import { parseJson } from '@countersign/safe'
import { type Address, getAddress, isAddress } from 'viem'

/** Characters of a file. */
const MAX_FILE = 5_000_000
/** More are not added from one file. */
const MAX_SAFES = 500

export type ExportedSafes = {
  safes: { chainId: number; address: Address }[]
  /** Entries that are no address on a chain, or are behind the first 500. */
  unusable: number
}

/**
 * Reads which Safes somebody added, of the data export of Safe{Wallet}: `data.addedSafes` by chain and address (versions 2 and
 * 3). What else the file says of them, owners and threshold, is for the chain to say.
 *
 * @returns null when it is no such file
 */
export function parseExportedSafes(text: string): ExportedSafes | null {
  if (text.length > MAX_FILE) return null
  const { data } = asObject(parseJson(text))
  const { addedSafes } = asObject(data)
  if (typeof addedSafes !== 'object' || addedSafes === null || Array.isArray(addedSafes)) return null
  const entries = Object.entries(addedSafes).flatMap(([chainId, safes]) =>
    Object.keys(asObject(safes)).map((address) => ({ chainId, address })),
  )
  const found = new Map<string, ExportedSafes['safes'][number]>()
  for (const { chainId, address } of entries) {
    const isUsable = /^[1-9]\d{0,15}$/.test(chainId) && Number.isSafeInteger(Number(chainId))
    if (!isUsable || !isAddress(address, { strict: address !== address.toLowerCase() })) continue
    const safe = { chainId: Number(chainId), address: getAddress(address) }
    if (found.size < MAX_SAFES) found.set(`${safe.chainId} ${safe.address}`, safe)
  }
  return { safes: [...found.values()], unusable: entries.length - found.size }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
