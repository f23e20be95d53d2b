import { isSameAddress, SETTING_SLOTS } from '@countersign/safe'
import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, pad, slice, toHex } from 'viem'
import type { SafeConfiguration } from '../types.ts'
import type { SlotChange } from './declared-effects.ts'

const sentinel: Address = '0x0000000000000000000000000000000000000001'
const NO_VALUE = pad('0x')
/** The places of the mappings in the storage of a Safe, from 1.0.0 on. */
const places = { modules: 1n, owners: 2n, signedMessages: 7n, approvedHashes: 8n } as const
const SINGLETON_SLOT = numbered(0n)
const OWNER_COUNT_SLOT = numbered(3n)
const THRESHOLD_SLOT = numbered(4n)
const NONCE_SLOT = numbered(5n)
const DOMAIN_SLOT = numbered(6n)
/** A list that does not end is not followed for ever. */
const MAX_LIST = 10_000

/** Names of what storage slots of a Safe hold. `owners` and `modules`: who comes next in the list behind `of`. */
export type SafeSlotName =
  | 'singleton'
  | 'owners'
  | 'modules'
  | 'ownerCount'
  | 'threshold'
  | 'nonce'
  | 'domainSeparator'
  | 'guard'
  | 'moduleGuard'
  | 'fallbackHandler'
  | 'signedMessages'
  | 'approvedHashes'

/** A slot by its name; `of`: the account or the hash under which a mapping keeps it. */
export type NamedSlot = { name: SafeSlotName; of?: Hex }

/** Slot of a mapping from addresses. */
function mappingSlot(key: Address, place: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, place]))
}

/** Slot of a mapping from hashes. */
function hashSlot(key: Hex, place: Hex | bigint): Hex {
  const at = typeof place === 'bigint' ? numbered(place) : place
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [key, at]))
}

/** A linked list as OwnerManager and ModuleManager keep it: each entry points to the next, the last to the sentinel. */
function listSlots(list: readonly Address[], place: bigint): [Hex, Hex][] {
  return [sentinel, ...list].map((entry, at) => [mappingSlot(entry, place), word(list[at] ?? sentinel)])
}

/** A slot of a Safe, the word that it holds, and the part of the configuration that it belongs to. */
export type ConfigurationSlot = { slot: Hex; word: Hex; part: keyof SafeConfiguration | 'nonce' }

/**
 * Slots that hold the configuration of a Safe and its nonce, from 1.0.0 on. Owners and modules are linked lists: words as
 * these prove that nobody else is in them.
 */
export function configurationSlots(configuration: SafeConfiguration, nonce: bigint): ConfigurationSlot[] {
  const { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = configuration
  return [
    { part: 'singleton', slot: SINGLETON_SLOT, word: word(singleton) },
    ...listSlots(modules, places.modules).map(([slot, next]) => ({ part: 'modules', slot, word: next }) as const),
    ...listSlots(owners, places.owners).map(([slot, next]) => ({ part: 'owners', slot, word: next }) as const),
    { part: 'owners', slot: OWNER_COUNT_SLOT, word: numbered(BigInt(owners.length)) },
    { part: 'threshold', slot: THRESHOLD_SLOT, word: numbered(BigInt(threshold)) },
    { part: 'nonce', slot: NONCE_SLOT, word: numbered(nonce) },
    { part: 'guard', slot: SETTING_SLOTS.guard, word: word(guard ?? '0x') },
    { part: 'moduleGuard', slot: SETTING_SLOTS.moduleGuard, word: word(moduleGuard ?? '0x') },
    { part: 'fallbackHandler', slot: SETTING_SLOTS.fallbackHandler, word: word(fallbackHandler ?? '0x') },
  ]
}

function slotsOf(configuration: SafeConfiguration, nonce: bigint): Map<Hex, Hex> {
  return new Map(configurationSlots(configuration, nonce).map(({ slot, word: value }) => [slot, value]))
}

/**
 * Slots of a Safe that a transaction changes, from its configuration before and after. The nonce is among them: it goes up
 * by one with every execution.
 */
export function changedSafeSlots(
  account: Address,
  { before, after, nonce }: { before: SafeConfiguration; after: SafeConfiguration; nonce: bigint },
): SlotChange[] {
  // As the contract counts: after 2^256 - 1 comes 0.
  const [old, now] = [slotsOf(before, nonce), slotsOf(after, BigInt.asUintN(256, nonce + 1n))]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((slot) => {
    const change = { account, slot, before: old.get(slot) ?? NO_VALUE, after: now.get(slot) ?? NO_VALUE }
    return change.before === change.after ? [] : [change]
  })
}

/**
 * The configuration of a Safe once these slots have changed, by the slots alone: its lists are walked as the contract walks
 * them, so that neither `getOwners()` of new code nor a story of the calls can lie.
 *
 * @returns null where a list does not end: nobody can tell then who its members are
 * @example
 * configurationAfter(before, [{ account: safeAddress, slot: pad('0x'), before: '0x…', after: '0x…' }])?.singleton
 */
export function configurationAfter(
  before: SafeConfiguration,
  changes: readonly Pick<SlotChange, 'slot' | 'after'>[],
): SafeConfiguration | null {
  const slots = new Map([...slotsOf(before, 0n), ...changes.map(({ slot, after }) => [lower(slot), after] as const)])
  const at = (slot: Hex) => slots.get(slot) ?? NO_VALUE
  const [owners, modules] = [walk(at, places.owners), walk(at, places.modules)]
  const threshold = BigInt(at(THRESHOLD_SLOT))
  if (owners === null || modules === null || threshold > MAX_LIST) return null
  const addressAt = (slot: Hex) => (BigInt(at(slot)) === 0n ? null : addressOf(at(slot)))
  return {
    singleton: addressOf(at(SINGLETON_SLOT)),
    owners: keepWriting(owners, before.owners),
    threshold: Number(threshold),
    modules: keepWriting(modules, before.modules),
    guard: addressAt(SETTING_SLOTS.guard),
    moduleGuard: addressAt(SETTING_SLOTS.moduleGuard),
    fallbackHandler: addressAt(SETTING_SLOTS.fallbackHandler),
  }
}

/**
 * Names a slot of a Safe. Places in mappings are found by trying who may stand there: everybody named before, and every
 * address that a changed slot holds.
 *
 * @param known `hashes`: of the transaction and of messages, for what is approved or signed on the chain
 * @returns a function that gives null for a slot that is none of the Safe's own, or of somebody who is not known
 * @example
 * nameSlots(changes, { before, hashes: [safeTxHash] })(pad('0x04')) // { name: 'threshold' }
 */
export function nameSlots(
  changes: readonly Pick<SlotChange, 'slot' | 'before' | 'after'>[],
  { before, hashes }: { before: SafeConfiguration; hashes: readonly Hex[] },
): (slot: Hex) => NamedSlot | null {
  const accounts = new Set([sentinel, ...before.owners, ...before.modules].map(lower))
  for (const change of changes)
    for (const value of [change.before, change.after]) if (isAddressWord(value)) accounts.add(lower(slice(value, 12)))
  const named = new Map<Hex, NamedSlot>([
    [SINGLETON_SLOT, { name: 'singleton' }],
    [OWNER_COUNT_SLOT, { name: 'ownerCount' }],
    [THRESHOLD_SLOT, { name: 'threshold' }],
    [NONCE_SLOT, { name: 'nonce' }],
    [DOMAIN_SLOT, { name: 'domainSeparator' }],
    [SETTING_SLOTS.guard, { name: 'guard' }],
    [SETTING_SLOTS.moduleGuard, { name: 'moduleGuard' }],
    [SETTING_SLOTS.fallbackHandler, { name: 'fallbackHandler' }],
  ])
  for (const hash of hashes) named.set(hashSlot(hash, places.signedMessages), { name: 'signedMessages', of: hash })
  for (const account of accounts) {
    named.set(mappingSlot(account, places.owners), { name: 'owners', of: account })
    named.set(mappingSlot(account, places.modules), { name: 'modules', of: account })
    const approved = mappingSlot(account, places.approvedHashes)
    for (const hash of hashes) named.set(hashSlot(hash, approved), { name: 'approvedHashes', of: account })
  }
  return (slot) => named.get(lower(slot)) ?? null
}

/** Follows a linked list from its sentinel; null where it does not come back to it. */
function walk(at: (slot: Hex) => Hex, place: bigint): Address[] | null {
  const found: Address[] = []
  for (let current = sentinel; found.length <= MAX_LIST; ) {
    const next = at(mappingSlot(current, place))
    // A list of modules of a Safe that was never set up, as some old ones, is empty.
    if (BigInt(next) === 0n && current === sentinel) return found
    if (!isAddressWord(next)) return null
    current = addressOf(next)
    if (isSameAddress(current, sentinel)) return found
    found.push(current)
  }
  return null
}

/** Addresses as they were written before, so that nothing seems to change by its letters. */
function keepWriting(list: readonly Address[], before: readonly Address[]): Address[] {
  return list.map((entry) => before.find((known) => isSameAddress(known, entry)) ?? entry)
}

function isAddressWord(value: Hex): boolean {
  return BigInt(value) > 0n && BigInt(value) >> 160n === 0n
}

function addressOf(value: Hex): Address {
  return getAddress(slice(word(value), 12))
}

function lower<Of extends Hex>(value: Of): Of {
  return value.toLowerCase() as Of
}

function word(value: Hex): Hex {
  return pad(lower(value))
}

function numbered(value: bigint): Hex {
  return toHex(value, { size: 32 })
}
