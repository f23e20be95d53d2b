import { basename } from 'node:path'
import { CountersignError, parseAbiSignature, writeAbiSignature } from '@countersign/safe'
import { type Hex, keccak256, slice, stringToBytes } from 'viem'
import { readBounded } from './read-bounded.ts'

const MAX_BYTES = 10 * 1024 * 1024
const MAX_FUNCTIONS = 100_000
/** Enough to see that they contradict each other; a list can be made to hold any number for one selector. */
const MAX_OF_SELECTOR = 10

/** Functions that the operator imported, by selector. They are guesses: nothing says that a contract means them. */
export type FunctionList = {
  /** Name of the file, without its folders. */
  name: string
  /** As selectors are made of them: `transfer(address,uint256)`, sorted. Several for one selector contradict each other. */
  bySelector: ReadonlyMap<Hex, readonly string[]>
}

/**
 * Reads a list of function signatures from a file of the operator: one a line, alone or behind its selector, with lines of
 * `#` between; or JSON, a list of them or an object that names them by selector. What stands twice counts once.
 *
 * @throws Error that says what is wrong with the file, and where
 */
export function readFunctionList(path: string): FunctionList {
  const entries = entriesOf(readBounded(path, MAX_BYTES))
  if (entries.length > MAX_FUNCTIONS)
    throw new Error(`has ${entries.length} functions; ${MAX_FUNCTIONS} are read at most`)
  const found = new Map<Hex, Set<string>>()
  for (const { place, text, selector: claimed } of entries) {
    const signature = writtenSignature(text, place)
    const selector = slice(keccak256(stringToBytes(signature)), 0, 4)
    if (claimed !== null && claimed.toLowerCase() !== selector)
      throw new Error(`${place}: the selector of \`${shown(signature)}\` is ${selector}, not \`${shown(claimed)}\``)
    const same = found.get(selector)
    if (same === undefined) found.set(selector, new Set([signature]))
    else same.add(signature)
  }
  const bySelector = new Map(
    [...found].map(([selector, all]) => [selector, [...all].toSorted().slice(0, MAX_OF_SELECTOR)]),
  )
  return { name: basename(path), bySelector }
}

type Entry = { place: string; text: string; selector: string | null }

function entriesOf(content: string): Entry[] {
  if (/^\s*[[{]/.test(content)) return entriesOfJson(JSON.parse(content))
  return content.split('\n').flatMap((line, index): Entry[] => {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) return []
    const place = `line ${index + 1}`
    const [, selector = null, behind = text] = /^(0x[0-9a-fA-F]{8})[\s,;:]+(.+)$/.exec(text) ?? []
    return [{ place, text: behind, selector }]
  })
}

function entriesOfJson(content: unknown): Entry[] {
  if (Array.isArray(content)) return content.map((text, index) => ({ place: `entry ${index}`, text, selector: null }))
  return Object.entries(content as object).flatMap(([selector, value]) =>
    [value].flat().map((text): Entry => ({ place: `entry \`${shown(selector)}\``, text, selector })),
  )
}

/** Names of parameters are left out: whoever wrote the list could tell a story with them. */
function writtenSignature(text: unknown, place: string): string {
  if (typeof text !== 'string') throw new Error(`${place}: must be a text such as \`transfer(address,uint256)\``)
  try {
    return writeAbiSignature(parseAbiSignature(text.replace(/^function\s+/, '')))
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause
    throw new Error(`${place}: \`${shown(text)}\` is no function such as \`transfer(address,uint256)\``, { cause })
  }
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
