import type { Area, PlainKey, TextValues } from './keys.gen.ts'
import { formatNumber, type Language, locale, pluralForm } from './locale.ts'
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

/** The texts of the reader's language that are there. */
const catalogue = new Map<string, Message>()

/** Loaders of the texts of each language, by area. */
const languages: Record<Language, () => Promise<{ areas: Record<string, () => Promise<Record<string, unknown>>> }>> = {
  en: () => import('./en/areas.ts'),
  de: () => import('./de/areas.ts'),
  es: () => import('./es/areas.ts'),
  fr: () => import('./fr/areas.ts'),
  zh: () => import('./zh/areas.ts'),
}

/** Areas that were asked for and are not there yet: first those of the first page. */
const needed = new Set<Area>(['app', 'first-errors', 'safes', 'wallet', 'landing'])

/** Says that what is drawn next has texts of these areas. They are there once {@link loadTexts} has ended. */
export function needTexts(...areas: Area[]): void {
  for (const area of areas) needed.add(area)
}

const RETRY_MS = 500

/** Texts that are on their way: parts of a page may wait for what another one asked for. */
let loading: Promise<unknown> = Promise.resolve()

/**
 * Waits for the texts that were asked for, in the reader's language, or in English where that cannot be loaded.
 *
 * @throws what the browser throws when neither comes. The next call asks for them again.
 */
export async function loadTexts(): Promise<void> {
  const added = [...needed]
  needed.clear()
  const before = loading
  const coming = Promise.all(added.map(loadArea))
  loading = Promise.allSettled([before, coming])
  await before
  await coming
  // Texts that another one asked for, and did not get.
  if (needed.size > 0) await loadTexts()
}

/**
 * Loads a part of a page together with its texts, as soon as the server is there. `areas`: what is known of them before its
 * code is there.
 */
export async function withTexts<Part>(load: () => Promise<Part>, ...areas: Area[]): Promise<Part> {
  needTexts(...areas)
  // A part that fails takes what stands around it along: without a network it is waited for.
  if (globalThis.navigator?.onLine === false)
    while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  const [part] = await Promise.all([load(), loadTexts()])
  // Those that the part itself asks for.
  await loadTexts()
  return part
}

/** Whether anything comes from the server, whatever the device says of its network. */
export function isServerThere(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}

async function loadArea(area: Area): Promise<void> {
  try {
    addTexts(await loadFrom(locale.language, area).catch(() => loadFrom('en', area)))
  } catch (error) {
    needed.add(area)
    throw error
  }
}

async function loadFrom(language: Language, area: Area): Promise<Record<string, unknown>> {
  const load = (await languages[language]()).areas[`./${area}.json`]
  if (!load) throw new Error(`There are no texts of ${area}.`)
  return load()
}

/** Adds texts by their keys. */
export function addTexts(texts: Record<string, unknown>): void {
  for (const [key, message] of Object.entries(texts)) catalogue.set(key, message as Message)
}

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
