import type { SafeTx } from '@countersign/safe'
import {
  type ComposedSettings,
  type ContractFit,
  type ContractRole,
  composeCalls,
  composeSafeTx,
  type Intent,
  type IntentProblem,
} from '@countersign/safe/compose'
import type { Address, Hex } from 'viem'
import { parseNonce } from '../../safe/worth/amount.ts'
import { parseAddress } from '../../ui/form/parse-address.ts'
import { type Draft, type Entry, type FieldErrors, MAX_ORIGIN, type Typed } from './draft.ts'
import { type EntryFacts, type ReadEntry, readEntry } from './read-entry.ts'
import { text } from './text.ts'

export type DraftFacts = EntryFacts & {
  nextNonce: bigint
  /** Code that the policy of the team lets run as the Safe itself. */
  allowed: readonly { address: Address; selector: Hex | null }[]
  /** Whether another service is still being asked which nonces are taken there. */
  isNonceAsked?: boolean
  /** A library whose code the chain has; null when it has none, undefined while that is not known. */
  multiSend: Address | null | undefined
  /** Whether that could not be read, and nobody is asking. */
  isLibraryUnread?: boolean
  /** Whether contracts can have the place that an entry gives them, by role and address; undefined while it is asked. */
  fits: ReadonlyMap<string, ContractFit | undefined>
}

/** One entry as it was read, and the Safe at its place in the draft. */
export type ReadPart = {
  entry: Entry
  intent: Intent | null
  calls: readonly { to: Address; value: bigint; data: Hex; operation: 0 | 1 }[]
  errors: FieldErrors
  before: ComposedSettings
}

export type ReadDraft = {
  parts: readonly ReadPart[]
  /** Settings once the whole draft is carried out. */
  after: ComposedSettings
  errors: { nonce?: string; origin?: string; library?: string }
  origin: string | null
  /** Whether nothing is wrong, and an answer is still on its way that the transaction is made of. */
  isAwaited: boolean
  /** Null as long as anything is wrong, or awaited. */
  safeTx: SafeTx | null
}

/** Reads a draft into the transaction that it means, or says for each field of each entry what is wrong. */
export function readDraft(draft: Draft, facts: DraftFacts): ReadDraft {
  const read: ReadEntry[] = []
  // Each entry is read in the Safe that those before it leave: a threshold that nobody chose is the one its form shows.
  const intents = draft.entries.map((entry) => (before: ComposedSettings) => {
    const one = readEntry(entry, { ...facts, safe: { ...facts.safe, ...before } })
    read.push(one)
    return 'intent' in one ? one.intent : null
  })
  const composed = composeCalls(intents, { ...facts.safe, allowed: facts.allowed })
  const parts = draft.entries.map((entry, index): ReadPart => {
    const one = read[index]
    const { calls = [], problems = [], before = composed.after } = composed.intents[index] ?? {}
    const intent = one && 'intent' in one ? one.intent : null
    const errors = one && 'errors' in one ? one.errors : { ...fitErrors(entry, facts), ...errorsOf(problems, entry) }
    return { entry, intent, calls, errors, before }
  })
  const nonce = readNonce(draft, facts)
  const origin = draft.origin.trim()
  const library = readLibrary(composed.calls.length, facts)
  const errors: ReadDraft['errors'] = {
    ...('error' in nonce ? { nonce: nonce.error } : {}),
    ...(origin.length > MAX_ORIGIN ? { origin: text('field.origin.too-long', { count: origin.length }) } : {}),
    ...('error' in library ? { library: library.error } : {}),
  }
  const isWhole = Object.keys(errors).length === 0 && parts.every((part) => Object.keys(part.errors).length === 0)
  const isAwaited = isWhole && ('isAwaited' in nonce || 'isAwaited' in library)
  const safeTx =
    isWhole && 'value' in nonce && 'value' in library
      ? composeSafeTx(composed.calls, { nonce: nonce.value, multiSend: library.value })
      : null
  return { parts, after: composed.after, errors, origin: origin === '' ? null : origin, isAwaited, safeTx }
}

/** A value of the transaction, a fault, or neither while an answer is still on its way. */
type Reading<T> = { value: T } | { error: string } | { isAwaited: true }

function readNonce(draft: Draft, { safe, nextNonce, isNonceAsked = false }: DraftFacts): Reading<bigint> {
  const nonce = draft.nonce === null ? nextNonce : parseNonce(draft.nonce)
  if (nonce === null) return { error: text('field.nonce.not-a-number') }
  if (nonce < safe.nonce) return { error: text('field.nonce.past', { nonce, safeNonce: safe.nonce }) }
  return draft.nonce === null && isNonceAsked ? { isAwaited: true } : { value: nonce }
}

/** Reads the library that several calls need. */
function readLibrary(callCount: number, { multiSend, isLibraryUnread = false }: DraftFacts): Reading<Address | null> {
  if (callCount <= 1) return { value: multiSend ?? null }
  if (multiSend === null) return { error: text('compose.noLibrary') }
  if (multiSend !== undefined) return { value: multiSend }
  return isLibraryUnread ? { error: text('compose.library.unread') } : { isAwaited: true }
}

/** Faults of a contract that is to have a place in the Safe. A node that does not say stops nobody: the review tells it. */
function fitErrors(entry: Entry, { fits }: DraftFacts): FieldErrors {
  const place = placeOf(entry)
  if (place === null) return {}
  const fit = fits.get(`${place.role} ${place.address}`)
  const field = place.role === 'module-guard' ? 'guard' : place.role
  if (fit === undefined) return { [field]: text('compose.fit.asking') }
  return fit === null || fit === 'fits' ? {} : { [field]: text(`compose.fit.${fit}`, { role: place.role }) }
}

/** The place in the Safe that an entry gives to a contract; null when it gives none. */
export function placeOf({ kind, typed }: Entry): { role: ContractRole; address: Address } | null {
  const given = {
    'enable-module': 'module',
    'set-guard': 'guard',
    'set-module-guard': 'guard',
    'set-handler': 'handler',
  }
  const field = given[kind as keyof typeof given] as 'module' | 'guard' | 'handler' | undefined
  if (field === undefined || typed.place === 'none') return null
  const read = parseAddress(typed[field])
  return read.ok ? { role: kind === 'set-module-guard' ? 'module-guard' : field, address: read.address } : null
}

/** Faults of an intent, at the fields of the form that can mend them. */
function errorsOf(problems: readonly IntentProblem[], entry: Entry): FieldErrors {
  const errors: FieldErrors = {}
  for (const { field, reason, owners = 0, version = '' } of problems)
    errors[fieldOf(field, entry)] ??= text(`compose.problem.${reason}`, { owners, version })
  return errors
}

/** The fields of the form whose name an intent shares. */
const sharedFields: readonly string[] = [
  'amount',
  'operation',
  'tokenId',
  'data',
  'newOwner',
  'threshold',
  'module',
  'version',
  'delegate',
  'resetMinutes',
] satisfies (keyof Typed)[]

/** The field of the form for a field of an intent. Any other fault is shown at the contract. */
function fieldOf(field: string, { kind, typed }: Entry): keyof Typed {
  switch (field) {
    case 'to':
      return kind === 'call' || kind === 'function' ? 'contract' : 'recipient'
    case 'asset':
      return kind === 'item' ? 'collection' : typed.asset === 'other' ? 'tokenAddress' : 'asset'
    case 'owner':
      return kind === 'add-owner' ? 'newOwner' : 'owner'
    case 'guard':
    case 'handler':
      return typed.place === 'none' ? 'place' : field
    case 'value':
      return 'amount'
    default:
      return sharedFields.includes(field) ? (field as keyof Typed) : 'contract'
  }
}
