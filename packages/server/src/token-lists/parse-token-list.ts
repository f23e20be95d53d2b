import type { ListFault, RefusalReason } from '@countersign/contract'
import { HIDDEN_CHARACTER } from '@countersign/safe'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'

export const MAX_LIST_BYTES = 10_000_000
const MAX_ENTRIES = 50_000
/** As the schema of tokenlists.org has them. */
const [MAX_SYMBOL, MAX_NAME] = [20, 60]
const MAX_LIST_NAME = 60
/** Entries between two pauses: requests are answered meanwhile. */
const ENTRIES_AT_ONCE = 500
const MAX_EXAMPLES = 3

/** A token as a list says it. */
export type TokenEntry = { chainId: number; address: Address; symbol: string; name: string; decimals: number }

/** Entries that are not used, by why. */
export type Refused = { reason: RefusalReason; count: number; examples: string[] }

/** A list whose frame is right; its entries are not looked at yet. */
export type OpenedList = { name: string; madeAt: Date | null; version: string | null; entries: readonly unknown[] }

export type ParsedList = Omit<OpenedList, 'entries'> & {
  tokens: TokenEntry[]
  /** Entries for chains that are not configured. */
  otherChains: number
  refused: Refused[]
}

const version = z.object({ major: z.number(), minor: z.number(), patch: z.number() })
const frame = z.object({
  name: z.string().min(1),
  timestamp: z.string().optional(),
  version: version.optional(),
  tokens: z.array(z.unknown()),
})

/** Reads the frame of a list by the schema of tokenlists.org, or says why it is none. */
export function openTokenList(text: string): OpenedList | { fault: ListFault; detail: string | null } {
  if (Buffer.byteLength(text) > MAX_LIST_BYTES) return { fault: 'too-large', detail: null }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { fault: 'not-json', detail: null }
  }
  const parsed = frame.safeParse(content)
  if (!parsed.success) return { fault: 'no-list', detail: parsed.error.issues[0]?.path.join('.') || null }
  const { name, timestamp, version: of, tokens } = parsed.data
  if (tokens.length > MAX_ENTRIES) return { fault: 'too-many', detail: String(tokens.length) }
  const madeAt = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return {
    name: plainText(name).slice(0, MAX_LIST_NAME) || '?',
    madeAt: Number.isNaN(madeAt) ? null : new Date(madeAt),
    version: of ? `${of.major}.${of.minor}.${of.patch}` : null,
    entries: tokens,
  }
}

/** Reads the entries of the chains that are configured. What is wrong with one refuses that one. */
export async function readEntries(
  { entries, ...about }: OpenedList,
  chainIds: ReadonlySet<number>,
): Promise<ParsedList> {
  const tokens = new Map<string, TokenEntry>()
  const refusals = new Map<RefusalReason, Refused>()
  let otherChains = 0
  for (const [at, entry] of entries.entries()) {
    if (at % ENTRIES_AT_ONCE === 0) await pause()
    const chainId = chainIdOf(entry)
    if (chainId !== null && !chainIds.has(chainId)) {
      otherChains++
      continue
    }
    const read = readEntry(entry)
    if (typeof read === 'string') refuse(refusals, read, exampleOf(entry))
    else if (tokens.has(keyOf(read))) refuse(refusals, 'twice', exampleOf(entry))
    else tokens.set(keyOf(read), read)
  }
  return { ...about, tokens: [...tokens.values()], otherChains, refused: [...refusals.values()] }
}

/** Counts a refusal, with the first ones as examples. */
export function refuse(refusals: Map<RefusalReason, Refused>, reason: RefusalReason, example: string): void {
  const refused = refusals.get(reason) ?? { reason, count: 0, examples: [] }
  refused.count++
  if (refused.examples.length < MAX_EXAMPLES) refused.examples.push(example)
  refusals.set(reason, refused)
}

/** Lets what waits go on: a long list is read in many turns of the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const entryFrame = z.object({
  chainId: z.int().positive(),
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
})

function chainIdOf(entry: unknown): number | null {
  if (typeof entry !== 'object' || entry === null || !('chainId' in entry)) return null
  return Number.isSafeInteger(entry.chainId) ? Number(entry.chainId) : null
}

function readEntry(entry: unknown): TokenEntry | RefusalReason {
  const parsed = entryFrame.safeParse(entry)
  if (!parsed.success) return 'malformed'
  const { chainId, address, symbol, name, decimals } = parsed.data
  if (!isAddress(address, { strict: false })) return 'malformed'
  // One case throughout says nothing of a checksum; mixed case has to be right.
  const digits = address.slice(2)
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!isPlain && !isAddress(address)) return 'checksum'
  if (!isShown(symbol, MAX_SYMBOL) || !isShown(name, MAX_NAME)) return 'text'
  return { chainId, address: getAddress(address.toLowerCase()), symbol, name, decimals }
}

/** Whether all of a text is seen where it stands: nothing hidden, nothing that reorders, no blanks at its ends. */
function isShown(text: string, most: number): boolean {
  return text !== '' && text.length <= most && text === text.trim() && !HIDDEN_CHARACTER.test(text)
}

function exampleOf(entry: unknown): string {
  const { symbol, address } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
  const parts = [symbol, address].filter((part) => typeof part === 'string' && part !== '')
  return plainText(parts.join(' ') || brief(entry)).slice(0, 80)
}

/** An entry without what is nested in it: a list that is nested a million times would end the call stack. */
function brief(entry: unknown): string {
  return JSON.stringify(entry, (_, value) =>
    value !== entry && typeof value === 'object' && value !== null ? '…' : value,
  )
}

function plainText(text: string): string {
  return [...text.slice(0, 500)]
    .filter((character) => !HIDDEN_CHARACTER.test(character))
    .join('')
    .trim()
}

function keyOf({ chainId, address }: TokenEntry): string {
  return `${chainId} ${address}`
}
