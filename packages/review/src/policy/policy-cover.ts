import { type Code, isSameAddress } from '@countersign/safe'
import { type Address, type Hex, size, slice } from 'viem'
import type { AllowEntry, AllowEntryKind } from './team-policy.ts'

/**
 * Where a proxy passes its calls on to, and the code there; null: the contract is no proxy that is known. `isMixed`: it names
 * several places, and no entry says which of them decides.
 */
export type Implementation = { address: Address; codeHash: Hex; isMixed?: true | undefined } | null

/** The code of contracts, by lower-case address; undefined where nobody has read it. */
export type PolicyCodes = {
  codes?: Readonly<Record<string, Code | undefined>> | undefined
  implementations?: Readonly<Record<string, Implementation | undefined>> | undefined
}

/** The answer of an allow list about a contract: its entry, that none fits, or that the code which decides was not read. */
export type Cover = { entry: AllowEntry } | 'none' | 'unread'

/** The first four bytes of calldata; null where there are fewer. */
export function selectorOf(data: Hex): Hex | null {
  return size(data) < 4 ? null : (slice(data, 0, 4).toLowerCase() as Hex)
}

/**
 * Looks for the entry that covers a contract: by kind, address, function, code, and the code behind a proxy.
 *
 * @param selector of a delegatecall; null for the other kinds
 * @example
 * const cover = coverOf(standing.allowed, { kind: 'module', address, selector: null }, { codes, implementations })
 */
export function coverOf(
  allowed: readonly AllowEntry[],
  { kind, address, selector }: { kind: AllowEntryKind; address: Address; selector: Hex | null },
  { codes, implementations }: PolicyCodes,
): Cover {
  const entries = allowed.filter(
    (entry) => entry.kind === kind && isSameAddress(entry.address, address) && entry.selector === selector,
  )
  if (entries.length === 0) return 'none'
  const code = codes?.[address.toLowerCase()]
  const behind = implementations?.[address.toLowerCase()]
  if (code === undefined || behind === undefined) return 'unread'
  const entry = entries.find(
    (entry) => isSameHash(entry.codeHash, code.codeHash) && code.size > 0 && isImplementation(entry, behind),
  )
  return entry === undefined ? 'none' : { entry }
}

function isImplementation({ implementation, implementationCodeHash }: AllowEntry, behind: Implementation): boolean {
  if (behind === null || implementation === null || implementationCodeHash === null)
    return behind === null && implementation === null
  if (behind.isMixed) return false
  return isSameAddress(implementation, behind.address) && isSameHash(implementationCodeHash, behind.codeHash)
}

function isSameHash(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
