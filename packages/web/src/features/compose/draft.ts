import { isRecord } from '@countersign/safe'
import { bytesToHex, type Hex, keccak256, slice } from 'viem'
import { parseAddress } from '../../ui/form/parse-address.ts'

/** Kinds of a part of a transaction, in the order in which the form offers it. */
export const entryKinds = {
  pay: ['transfer', 'item'],
  call: ['function', 'call'],
  owners: ['add-owner', 'swap-owner', 'remove-owner', 'change-threshold'],
  contracts: ['enable-module', 'disable-module', 'set-guard', 'set-module-guard', 'set-handler', 'upgrade'],
  limits: ['set-limit', 'reset-limit', 'delete-limit'],
} as const

export type EntryGroup = keyof typeof entryKinds
export type EntryKind = (typeof entryKinds)[EntryGroup][number]

export const entryGroups = Object.keys(entryKinds) as EntryGroup[]
const allKinds: readonly string[] = Object.values(entryKinds).flat()

const fieldNames = [
  'asset',
  'tokenAddress',
  'recipient',
  'amount',
  'standard',
  'collection',
  'tokenId',
  'contract',
  'data',
  'owner',
  'newOwner',
  'threshold',
  'module',
  'place',
  'guard',
  'handler',
  'version',
  'code',
  'delegate',
  'resetMinutes',
  'abi',
  'function',
  'args',
  'operation',
] as const
type FieldName =
  | 'asset'
  | 'tokenAddress'
  | 'recipient'
  | 'amount'
  | 'standard'
  | 'collection'
  | 'tokenId'
  | 'contract'
  | 'data'
  | 'owner'
  | 'newOwner'
  | 'threshold'
  | 'module'
  | 'place'
  | 'guard'
  | 'handler'
  | 'version'
  | 'code'
  | 'delegate'
  | 'resetMinutes'
  | 'abi'
  | 'function'
  | 'args'
  | 'operation'

/** Fields as they were typed. Every kind has its own; one that is left for another kind is kept. */
export type Typed = Record<FieldName, string>
export type FieldErrors = Partial<Record<FieldName, string>>

/** One part of a transaction in the making. */
export type Entry = { id: number; kind: EntryKind; typed: Typed }

/** A transaction in the making, as a person has typed it so far. */
export type Draft = {
  entries: readonly Entry[]
  /** Null follows the next free one. */
  nonce: string | null
  origin: string
  /** Tells it from every other one, also in a tab that was copied; null until something is typed. */
  key: Hex | null
  /** Draft of the team that it began as: removed there once it is proposed. */
  shared: string | null
  /** Entries that follow as a transaction of their own, once this one is proposed. */
  later: readonly Entry[]
}

export const MAX_ORIGIN = 200

/** Minutes of the periods that people mean; the module of spending limits counts in minutes. */
export const limitPeriods = { once: '', day: '1440', week: '10080', month: '43200' } as const

const nothingTyped: Typed = {
  asset: 'native',
  tokenAddress: '',
  recipient: '',
  amount: '',
  standard: 'erc721',
  collection: '',
  tokenId: '',
  contract: '',
  data: '',
  owner: '',
  newOwner: '',
  threshold: '',
  module: '',
  place: '',
  guard: '',
  handler: '',
  version: '',
  code: '',
  delegate: '',
  resetMinutes: '',
  abi: '',
  function: '',
  args: '',
  operation: '',
}

export function newEntry(id: number, kind: EntryKind = 'transfer', typed: Partial<Typed> = {}): Entry {
  return { id, kind, typed: { ...nothingTyped, ...typed } }
}

export const emptyDraft: Draft = {
  entries: [newEntry(1)],
  nonce: null,
  origin: '',
  key: null,
  shared: null,
  later: [],
}

export function isEmptyDraft(draft: Draft): boolean {
  return JSON.stringify({ ...draft, key: null }) === JSON.stringify(emptyDraft)
}

/** The draft with a key of its own, unless it has one. */
export function withKey(draft: Draft): Draft & { key: Hex } {
  return { ...draft, key: draft.key ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16))) }
}

/** A number that no entry has. */
export function nextId({ entries, later }: Draft): number {
  return Math.max(0, ...[...entries, ...later].map(({ id }) => id)) + 1
}

/** Puts an entry behind the others, or in the place of the only one while nothing is typed. */
export function addEntry(draft: Draft, kind: EntryKind, typed: Partial<Typed> = {}): { draft: Draft; id: number } {
  const id = nextId(draft)
  const entry = newEntry(id, kind, typed)
  const isUntouched = isEmptyDraft({ ...draft, nonce: null })
  return { draft: { ...draft, entries: isUntouched ? [entry] : [...draft.entries, entry] }, id }
}

/** Adds an entry that another page asks for, unless it is there: a reload asks for the same again. */
export function startEntry(draft: Draft, kind: EntryKind, typed: Partial<Typed>): Draft {
  const given = Object.entries(typed).filter(([, value]) => value !== '')
  const isThere = draft.entries.some(
    (entry) => entry.kind === kind && given.every(([name, value]) => entry.typed[name as FieldName] === value),
  )
  return isThere ? draft : addEntry(draft, kind, typed).draft
}

/** Puts the entry at one place at another one. */
export function moveEntry(draft: Draft, from: number, to: number): Draft {
  const moved = draft.entries[from]
  if (moved === undefined || to < 0 || to >= draft.entries.length) return draft
  const others = draft.entries.filter((_, index) => index !== from)
  return { ...draft, entries: [...others.slice(0, to), moved, ...others.slice(to)] }
}

/** Puts a copy right behind an entry. */
export function duplicateEntry(draft: Draft, at: number): { draft: Draft; id: number } {
  const id = nextId(draft)
  const copied = draft.entries.flatMap((entry, index) => (index === at ? [entry, { ...entry, id }] : [entry]))
  return { draft: { ...draft, entries: copied }, id }
}

/** Takes an entry away; of the last one an empty one stays. */
export function removeEntry(draft: Draft, at: number): Draft {
  const entries = draft.entries.filter((_, index) => index !== at)
  return { ...draft, entries: entries.length === 0 ? [newEntry(nextId(draft))] : entries }
}

/** Leaves the entries behind the first so many for the transaction after this one. */
export function splitDraft(draft: Draft, count: number): Draft {
  const { entries, later } = draft
  return { ...draft, entries: entries.slice(0, count), later: [...entries.slice(count), ...later] }
}

/** Takes back what was left for the transaction after this one. */
export function joinDraft(draft: Draft): Draft {
  return { ...draft, entries: [...draft.entries, ...draft.later], later: [] }
}

/** The draft that follows once this one is proposed; null where nothing was left for it. */
export function nextDraft(draft: Draft): Draft | null {
  const { later, origin } = draft
  if (later.length === 0) return null
  // Every tab that holds the draft goes on with the same key.
  const key = slice(keccak256(withKey(draft).key), 0, 16)
  return { ...emptyDraft, entries: later, origin, key }
}

/** A draft as it is stored: fields in which nothing was typed are left out. */
export function writeDraft(draft: Draft): string {
  return JSON.stringify({ ...draft, entries: draft.entries.map(typedIn), later: draft.later.map(typedIn) })
}

function typedIn(entry: Entry) {
  const typed = fieldNames.filter((name) => entry.typed[name] !== nothingTyped[name])
  return { ...entry, typed: Object.fromEntries(typed.map((name) => [name, entry.typed[name]])) }
}

/** A draft as it was stored; null when it is none. */
export function parseDraft(value: unknown): Draft | null {
  if (!isRecord(value) || !Array.isArray(value.entries) || value.entries.length === 0) return null
  const { nonce, origin, key, shared } = value
  if (!(nonce === null || typeof nonce === 'string') || typeof origin !== 'string') return null
  const entries = value.entries.map(parseEntry)
  const later = (Array.isArray(value.later) ? value.later : []).map(parseEntry)
  const isWhole = entries.every((entry) => entry !== null) && later.every((entry) => entry !== null)
  if (!isWhole) return null
  const isId = typeof shared === 'string' && /^[1-9][0-9]{0,17}$/.test(shared)
  return numbered({
    entries,
    nonce,
    origin,
    key: isKey(key) ? key : null,
    shared: isId ? shared : null,
    later,
  })
}

function isKey(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{32}$/.test(value)
}

const MAX_ID = 1_000_000

/** The draft with a number of its own for each entry: what is written into one of two alike would go into both. */
function numbered(draft: Draft): Draft {
  const ids = [...draft.entries, ...draft.later].map(({ id }) => id)
  if (new Set(ids).size === ids.length && ids.every((id) => id > 0 && id <= MAX_ID)) return draft
  const { entries, later } = draft
  return {
    ...draft,
    entries: entries.map((entry, index) => ({ ...entry, id: index + 1 })),
    later: later.map((entry, index) => ({ ...entry, id: entries.length + index + 1 })),
  }
}

/** A draft as the team keeps it: without a nonce, which is another one when it is used, and whole. */
export function writeShared(draft: Draft): string {
  const { entries, origin } = joinDraft(draft)
  return JSON.stringify({ entries, origin, nonce: null })
}

/** A draft that the team keeps, opened; null when it is none. `shared` is null for a template, which stays. */
export function openShared(content: string, shared: string | null): Draft | null {
  try {
    const draft = parseDraft(JSON.parse(content))
    return draft && { ...draft, nonce: null, key: null, shared, later: [] }
  } catch {
    return null
  }
}

function parseEntry(value: unknown): Entry | null {
  if (!isRecord(value) || !isRecord(value.typed) || !Number.isSafeInteger(value.id) || !isKind(value.kind)) return null
  const { id, kind, typed } = value
  const kept = fieldNames.flatMap((name) => (typeof typed[name] === 'string' ? [[name, typed[name]] as const] : []))
  const entry = newEntry(Number(id), kind, Object.fromEntries(kept))
  return { ...entry, typed: { ...entry.typed, ...chosenIn(entry.typed) } }
}

const periods: readonly string[] = Object.values(limitPeriods)

/** Choices as their lists have them: a field would show another one than the one that is read. */
function chosenIn({ asset, owner, module, resetMinutes }: Typed): Partial<Typed> {
  const asListed = (typed: string) => {
    const read = parseAddress(typed)
    return read.ok ? read.address : typed
  }
  return {
    asset: asListed(asset),
    owner: asListed(owner),
    module: asListed(module),
    resetMinutes: periods.includes(resetMinutes) ? resetMinutes : '',
  }
}

/** Whether a text is a kind of entry, as an address may name one. */
export function isKind(value: unknown): value is EntryKind {
  return typeof value === 'string' && allKinds.includes(value)
}
