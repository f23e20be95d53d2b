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
  const errors: ReadDraft['errors'] = {}
  const nonce = draft.nonce === null ? facts.nextNonce : parseNonce(draft.nonce)
  if (nonce === null) errors.nonce = text('field.nonce.not-a-number')
  else if (nonce < facts.safe.nonce) errors.nonce = text('field.nonce.past', { nonce, safeNonce: facts.safe.nonce })
  const origin = draft.origin.trim()
  if (origin.length > MAX_ORIGIN) errors.origin = text('field.origin.too-long', { count: origin.length })
  const needsLibrary = composed.calls.length > 1
  if (needsLibrary && facts.multiSend === null) errors.library = text('compose.noLibrary')
  else if (needsLibrary && facts.multiSend === undefined && facts.isLibraryUnread)
    errors.library = text('compose.library.unread')
  const isWhole = Object.keys(errors).length === 0 && parts.every((part) => Object.keys(part.errors).length === 0)
  const isAwaited =
    isWhole &&
    ((draft.nonce === null && facts.isNonceAsked === true) || (needsLibrary && facts.multiSend === undefined))
  const { multiSend = null } = facts
  const safeTx = isWhole && !isAwaited && nonce !== null ? composeSafeTx(composed.calls, { nonce, multiSend }) : null
  return { parts, after: composed.after, errors, origin: origin === '' ? null : origin, isAwaited, safeTx }
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
    case 'amount':
    case 'operation':
    case 'tokenId':
    case 'data':
    case 'newOwner':
    case 'threshold':
    case 'module':
    case 'version':
    case 'delegate':
    case 'resetMinutes':
      return field
    default:
      return 'contract'
  }
}
