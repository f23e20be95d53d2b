import { basename, resolve } from 'node:path'
import { nameOfUrl } from '../name-of-url.ts'
import { readBounded } from '../read-bounded.ts'
import { MAX_PRICES_BYTES, openPrices, type Prices } from './parse-prices.ts'

/** A source of prices that the operator names: by URL, asked for again every so many minutes, or a file, read at the start. */
export type PriceSourceSettings =
  | { kind: 'url'; url: URL; everyMinutes: number }
  | { kind: 'file'; path: string; prices: Prices }

export type PriceSettings = {
  /** Code of ISO 4217 in which all sources say what things cost. */
  currency: string
  /** An older price is none. */
  maxAgeMilliseconds: number
  sources: readonly PriceSourceSettings[]
}

const faultWords: Partial<Record<string, string>> = {
  'not-json': 'is not JSON',
  'no-prices': 'has no list `prices`',
  'too-many': 'has too many prices; 20000 are read at most',
}

/**
 * Opens prices in a file of the operator.
 *
 * @throws Error that says what is wrong with the file
 */
export function openPriceFile(path: string, currency: string): Prices {
  const opened = openPrices(readBounded(resolve(path), MAX_PRICES_BYTES), currency)
  if ('fault' in opened) throw new Error(faultWords[opened.fault] ?? `must say \`"currency": "${currency}"\``)
  return opened
}

/** Names a source, without what may be a key. */
export function nameOfSource(source: PriceSourceSettings): string {
  return source.kind === 'url' ? nameOfUrl(source.url) : basename(source.path)
}
