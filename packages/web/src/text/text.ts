import app from './en/app.json'
import firstErrors from './en/first-errors.json'
import safeApp from './en/safe-app.json'
import safes from './en/safes.json'
import wallet from './en/wallet.json'
import walletConnect from './en/walletconnect.json'
import type { PlainKey, TextValues } from './keys.ts'
import { formatNumber, locale, pluralForm } from './locale.ts'
import { showValue, withoutQuotes } from './untrusted.ts'

type Value = string | number | bigint
type Forms = Record<string, string | Part[]>
/** Words; a value by its name; a plural (`ordinal`, `select`) with its forms; 0 for the number of the plural around it. */
type Part = string | 0 | [name: string] | [name: string, forms: Forms] | [name: string, forms: Forms, kind: string]
/** An ICU message as `compile-texts.mjs` left it: a string when it has no values. */
export type Message = string | Part[]

/** A key whose text has no values in it, as tables of keys hold them. */
export type TextKey = PlainKey
type AnyKey = PlainKey | keyof TextValues

/** All that the keys of a union ask for together. */
type Together<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never
type Given<Key extends AnyKey> = [Key] extends [PlainKey] ? [] : [values: Together<TextValues[Exclude<Key, PlainKey>]>]

/** English is always there, and stands in for what a language lacks; other languages are loaded on top of it. */
const catalogue = new Map<string, Message>()
const areas: string[] = []

/** Adds the texts of an area, which come with the page that shows them. What else must be loaded: {@link loadTexts}. */
export function addTexts(area: string, english: Record<string, unknown>): void {
  areas.push(area)
  add(english)
}

/** Texts that are on their way: parts of a page may wait for what another one asked for. */
let loading: Promise<unknown> = Promise.resolve()

/**
 * Waits for the texts of the areas that were added, in the reader's language. A page is drawn after it: in English, where
 * they could not be loaded.
 */
export async function loadTexts(): Promise<void> {
  const added = areas.splice(0)
  if (locale.language !== 'en' && added.length > 0) loading = Promise.allSettled([loading, ...added.map(loadArea)])
  await loading
}

async function loadArea(area: string): Promise<void> {
  const { translations } = await import('./translations.ts')
  const load = translations[`./${locale.language}/${area}.json`]
  if (load) add(await load())
}

function add(texts: Record<string, unknown>): void {
  for (const [key, message] of Object.entries(texts)) catalogue.set(key, message as Message)
}

addTexts('app', app)
addTexts('first-errors', firstErrors)
addTexts('safe-app', safeApp)
addTexts('safes', safes)
addTexts('wallet', wallet)
addTexts('walletconnect', walletConnect)

/**
 * The text of a key in the reader's language, its `{values}` filled in. A value is shown as it is, but can neither hide
 * nor reorder what stands around it, nor end the quotation “{value}” that it stands in.
 */
export function text<Key extends AnyKey>(key: Key, ...[values]: Given<Key>): string {
  return fillMessage(catalogue.get(key) ?? key, values ?? {})
}

/** Whether the catalogue has a text, without values, for a key that was put together. */
export function isTextKey(key: string): key is TextKey {
  return typeof catalogue.get(key) === 'string'
}

export type TextPiece = { kind: 'words'; words: string } | { kind: 'value'; name: string }

/** The words and values of a sentence one by one, for values that have a component of their own; null: no such text. */
export function textPieces(key: string, values: Readonly<Record<string, unknown>> = {}): TextPiece[] | null {
  const message = catalogue.get(key)
  return message === undefined ? null : piecesOf(message, values)
}

/** The end of words that a quotation begins with, as each language writes it. */
const OPENS_QUOTATION = /[“„«]\u00a0?$/

export function fillMessage(message: Message, values: Readonly<Record<string, Value>>): string {
  let filled = ''
  for (const piece of piecesOf(message, values)) {
    const value = piece.kind === 'words' ? piece.words : values[piece.name]
    if (value === undefined) filled += piece.kind === 'value' ? `{${piece.name}}` : ''
    else if (piece.kind === 'words' || typeof value !== 'string') filled += String(value)
    else filled += showValue(OPENS_QUOTATION.test(filled) ? withoutQuotes(value) : value)
  }
  return filled
}

function piecesOf(message: Message, values: Readonly<Record<string, unknown>>, count = 0): TextPiece[] {
  if (typeof message === 'string') return [{ kind: 'words', words: message }]
  return message.flatMap((part): TextPiece[] => {
    if (part === 0) return [{ kind: 'words', words: formatNumber(count) }]
    if (typeof part === 'string') return [{ kind: 'words', words: part }]
    const [name, forms, kind] = part
    const value = values[name]
    if (!forms || value === undefined) return [{ kind: 'value', name }]
    if (kind === 'select') return piecesOf(forms[String(value)] ?? forms.other ?? '', values, count)
    const number = Number(value)
    const form = forms[`=${number}`] ?? forms[pluralForm(number, kind === 'ordinal' ? 'ordinal' : 'cardinal')]
    return piecesOf(form ?? forms.other ?? '', values, number)
  })
}
