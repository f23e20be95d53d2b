import { en } from './en.ts'
import type { enBalances } from './en-balances.ts'
import type { enBook } from './en-book.ts'
import type { enChains } from './en-chains.ts'
import type { enMessages } from './en-messages.ts'
import type { enTeam } from './en-team.ts'
import type { enTokens } from './en-tokens.ts'
import type { enTransactions } from './en-transactions.ts'
import { formatNumber, locale, pluralForm } from './locale.ts'
import { showValue, withoutQuotes } from './untrusted.ts'

/** Every text of the product. Those of a page come with it. */
type Texts = typeof en &
  typeof enTransactions &
  typeof enBalances &
  typeof enBook &
  typeof enChains &
  typeof enMessages &
  typeof enTeam &
  typeof enTokens
/** Any key of the catalogue. */
type AnyKey = keyof Texts

/** The names in braces of a text: `{wallet}`, and `{count|one|other}` whose value is a number. */
type Names<Pattern extends string> = Pattern extends `${string}{${infer Inner}}${infer Rest}`
  ? (Inner extends `${string}|${string}` ? never : Inner) | Names<Rest>
  : never
type Counts<Pattern extends string> = Pattern extends `${string}{${infer Inner}}${infer Rest}`
  ? (Inner extends `${infer Name}|${string}` ? Name : never) | Counts<Rest>
  : never

type ValuesOf<Key extends AnyKey> = Record<Counts<Texts[Key]>, number | bigint> &
  Record<Exclude<Names<Texts[Key]>, Counts<Texts[Key]>>, string | number | bigint>
type HasValues<Key extends AnyKey> = [Names<Texts[Key]> | Counts<Texts[Key]>] extends [never] ? false : true

/** A key whose text has no values in it, as tables of keys hold them. */
export type TextKey = { [Key in AnyKey]: HasValues<Key> extends true ? never : Key }[AnyKey]

/** What a catalogue of any language has. */
export type Catalogue = Record<AnyKey, string>

const catalogues: Record<typeof locale.language, Partial<Catalogue>> = { en: { ...en } }

/** Adds the texts of a page to those that are there. */
export function addTexts(language: typeof locale.language, texts: Partial<Catalogue>): void {
  Object.assign(catalogues[language], texts)
}

/**
 * The text of a key in the reader's language, its `{values}` filled in. A value is shown as it is, but can neither hide
 * nor reorder what stands around it, nor end the quotation “{value}” that it stands in.
 * Plural: `{count|# owner|# owners}` takes the form of `count` (in English: one, other) and puts the number for `#`.
 */
export function text<Key extends AnyKey>(
  key: Key,
  ...values: HasValues<Key> extends true ? [values: ValuesOf<Key>] : []
): string {
  return fillText(catalogues[locale.language][key] ?? key, values[0] ?? {})
}

/** Whether the catalogue has a text, without values, for a key that was put together. */
export function isTextKey(key: string): key is TextKey {
  return isKey(key) && !catalogues[locale.language][key]?.includes('{')
}

function isKey(key: string): key is AnyKey {
  return Object.hasOwn(catalogues[locale.language], key)
}

export type TextPiece = { kind: 'words'; words: string } | { kind: 'value'; name: string }

/** The words and values of a sentence one by one, for values that have a component of their own; null: no such text. */
export function textPieces(key: string): TextPiece[] | null {
  if (!isKey(key)) return null
  return (catalogues[locale.language][key] ?? key)
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.startsWith('{') ? { kind: 'value', name: piece.slice(1, -1) } : { kind: 'words', words: piece },
    )
}

export function fillText(pattern: string, values: Record<string, string | number | bigint>): string {
  return pattern.replace(/(“?)\{(\w+)(?:\|([^}]*))?\}/g, (whole, quote: string, name: string, forms?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (forms === undefined) {
      if (typeof value !== 'string') return quote + String(value)
      return quote + showValue(quote === '' ? value : withoutQuotes(value))
    }
    const count = Number(value)
    return quote + pluralForm(forms.split('|'), count).replaceAll('#', () => formatNumber(count))
  })
}
