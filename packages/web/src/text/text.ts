import { en } from './en.ts'

export type TextKey = keyof typeof en
export type TextValues = Record<string, string | number | bigint>

const plural = new Intl.PluralRules('en')

/**
 * The text of a key in the reader's language, its `{values}` filled in.
 * Plural: `{count|# owner|# owners}` takes the form of `count` (English: one, other) and puts the number for `#`.
 */
export function text(key: TextKey, values: TextValues = {}): string {
  return fillText(en[key], values)
}

export function fillText(pattern: string, values: TextValues): string {
  return pattern.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one === undefined || other === undefined) return String(value)
    const form = plural.select(Number(value)) === 'one' ? one : other
    return form.replaceAll('#', String(value))
  })
}
