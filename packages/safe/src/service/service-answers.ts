import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { isBytes, showValue } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'

/** Characters of all answers together. */
const MAX_ANSWERS = 20_000_000
/** Confirmations of one entry: as many as the owners of the largest Safe that is known. */
const MAX_CONFIRMATIONS = 100
/** Characters of a signature: many times what a Safe can check, and few enough for one request. */
const MAX_SIGNATURE = 100_000
/** Characters of an origin, as the service itself bounds it. */
const MAX_ORIGIN = 200

/** A signature that a service names the owner of. */
export type ClaimedSignature = { owner: Address; signature: Hex }

/** Reads answers of a service. @throws CountersignError `FIELD_MALFORMED` where the text is too long or no JSON */
export function parseServiceJson(text: string): unknown {
  if (text.length > MAX_ANSWERS)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: text.length, limit: MAX_ANSWERS })
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null) return read
  } catch {
    // Said below.
  }
  throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 80) })
}

/** Entries that are looked at at a time. */
export const MAX_ENTRIES = 500

/** Which entries of answers are looked at: those after so many; `isRest`: the text begins after these. */
export type Lookout = { after?: number; isRest?: boolean }

/** Gives the entries to look at, 500 at most, and counts those that are left, by the service's own word where it says more. */
export function someOf(read: unknown, { after = 0, isRest = false }: Lookout): { entries: unknown[]; beyond: number } {
  const all = entriesOf(read)
  const begin = isRest ? 0 : after
  const entries = all.slice(begin, begin + MAX_ENTRIES)
  const given = isRest ? after + all.length : all.length
  return { entries, beyond: Math.max(0, Math.max(countOf(read), given) - after - entries.length) }
}

/** Counts entries by the service's own word: somebody reads its first pages alone. */
function countOf(read: unknown): number {
  const pages: unknown[] = Array.isArray(read) ? read : [read]
  return pages.reduce<number>((most, page) => {
    const { results, count } = asObject(page)
    return Array.isArray(results) && typeof count === 'number' && Number.isSafeInteger(count)
      ? Math.max(most, count)
      : most
  }, 0)
}

/** Gives the entries of a page, of several pages, of a list, or the one that it is. */
function entriesOf(read: unknown): unknown[] {
  const parts: unknown[] = Array.isArray(read) ? read : [read]
  return parts.flatMap((part): unknown[] => {
    const { results } = asObject(part)
    return Array.isArray(results) ? results : [part]
  })
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Whether objects and lists stand inside each other more than so many times. Walks no deeper than that. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1))
}

export function originOf(origin: unknown): string | null {
  return typeof origin === 'string' && origin !== '' && origin !== '{}' ? origin.slice(0, MAX_ORIGIN) : null
}

/** Reads the confirmations of an entry, that of the proposer first. */
export function signaturesOf(
  read: Record<string, unknown>,
  proposer: unknown,
): { signatures: ClaimedSignature[]; unreadable: number } {
  const given: unknown[] = Array.isArray(read.confirmations) ? read.confirmations : []
  const signatures = new Map<Address, Hex>()
  let unreadable = Math.max(0, given.length - MAX_CONFIRMATIONS)
  for (const entry of given.slice(0, MAX_CONFIRMATIONS)) {
    const { owner, signature } = asObject(entry)
    const isReadable =
      typeof owner === 'string' &&
      isAddress(owner, { strict: false }) &&
      typeof signature === 'string' &&
      signature.length <= MAX_SIGNATURE &&
      isBytes(signature) &&
      signature !== '0x'
    if (!isReadable) unreadable += 1
    else if (!signatures.has(getAddress(owner))) signatures.set(getAddress(owner), signature.toLowerCase() as Hex)
  }
  const first = (owner: Address) => (owner === proposer ? 0 : 1)
  const sorted = [...signatures].toSorted(([one], [other]) => first(one) - first(other))
  return { signatures: sorted.map(([owner, signature]) => ({ owner, signature })), unreadable }
}
