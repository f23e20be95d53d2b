import { basename } from 'node:path'
import { type Hex, sha256, stringToBytes } from 'viem'
import { nameOfUrl } from '../name-of-url.ts'
import { readBounded } from '../read-bounded.ts'
import { MAX_LIST_BYTES, type OpenedList, openTokenList } from './parse-token-list.ts'

/** A token list that the operator names: by URL, asked for again every so many hours, or a file, read at the start. */
export type TokenListSettings =
  | { kind: 'url'; url: URL; everyHours: number }
  | { kind: 'file'; path: string; list: OpenedList }

const faultWords = {
  'not-json': 'is not JSON',
  'no-list': 'is no token list by the schema of tokenlists.org',
  'too-many': 'has too many tokens; 50000 are read at most',
  'too-large': `is larger than ${MAX_LIST_BYTES} bytes`,
  unreachable: 'cannot be read',
  status: 'cannot be read',
} as const

/**
 * Opens a list in a file of the operator.
 *
 * @throws Error that says what is wrong with the file
 */
export function openListFile(path: string): OpenedList {
  const opened = openTokenList(readBounded(path, MAX_LIST_BYTES))
  if ('fault' in opened) throw new Error(faultWords[opened.fault] + (opened.detail ? ` (${opened.detail})` : ''))
  return opened
}

/** Names where a list comes from, without what may be a key. */
export function describeSource(settings: TokenListSettings): string {
  return settings.kind === 'url' ? nameOfUrl(settings.url) : basename(settings.path)
}

/** Name of a URL in the database, where nobody reads it. */
export function idOfUrl(url: URL): Hex {
  return sha256(stringToBytes(url.href))
}
