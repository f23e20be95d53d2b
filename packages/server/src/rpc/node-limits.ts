import type { NodeLimitKind } from '@countersign/contract'
import type { Call } from './call.ts'
import { namesOf } from './log-filter.ts'
import { blocksOf, dedicatedLimit, depthOf, type Refusal } from './refusals.ts'

/** A node may change its mind: what it refused so long ago is asked for again. */
export const FORGET_MS = 6 * 3_600_000
const MAX_WORDS = 200
/** A part of a URL that is as long as this may be a key. */
const MIN_SECRET = 8

/** A limit of a node as it was learned, with its words. `learnedAt` in milliseconds since 1970. */
export type LearnedLimit = Refusal & { kind: NodeLimitKind; learnedAt: number }

/** Limits of one node, learned from its answers. */
export type NodeLimits = {
  all: () => LearnedLimit[]
  /** The most that it takes of something; infinite where it never refused. */
  valueOf: (kind: NodeLimitKind) => number
  learn: (refusal: Refusal) => void
  /** The call was answered: a limit that it goes beyond is none any more. */
  answered: (call: Call, newest: number | null) => void
  /** Whether the node would refuse, as far as is known. */
  refuses: (call: Call, newest: number | null) => boolean
  /** Limits that an earlier process kept. */
  recall: (kept: readonly LearnedLimit[]) => void
}

/** @param secrets what no words may show: they may quote the URL of the node, which holds its key */
export function createNodeLimits(secrets: readonly string[]): NodeLimits {
  const known = new Map<NodeLimitKind, LearnedLimit>()

  function get(kind: NodeLimitKind): LearnedLimit | undefined {
    const one = known.get(kind)
    if (one && Date.now() - one.learnedAt > FORGET_MS) known.delete(kind)
    return known.get(kind)
  }

  function mostOf(kind: NodeLimitKind): number {
    return get(kind)?.value ?? Number.POSITIVE_INFINITY
  }

  function exceedsOfLogs(call: Call): NodeLimitKind | null {
    if (get('log-address') && !hasAddress(call.params?.[0])) return 'log-address'
    const { addresses, topics } = namesOf(call)
    if (addresses > mostOf('log-addresses')) return 'log-addresses'
    if (topics > mostOf('log-topics')) return 'log-topics'
    const range = get('log-range')
    return range && (blocksOf(call) ?? 0) > (range.value ?? 0) ? 'log-range' : null
  }

  function exceeds(call: Call, newest: number | null): NodeLimitKind | null {
    const { method, params = [] } = call
    if (method === 'eth_getLogs') return exceedsOfLogs(call)
    const dedicated = dedicatedLimit(method)
    if (dedicated && get(dedicated)) return dedicated
    if (method === 'eth_call' && params.length > 2 && get('overrides')) return 'overrides'
    const archive = get('archive')
    return archive && (depthOf(call, newest) ?? 0) > (archive.value ?? 0) ? 'archive' : null
  }

  return {
    all: () => [...known.keys()].flatMap((kind) => get(kind) ?? []),
    valueOf: mostOf,
    learn({ kind, value, words }) {
      if (kind === null) return
      known.set(kind, { kind, value, words: shorten(words, secrets), learnedAt: Date.now() })
    },
    answered(call, newest) {
      if (known.size === 0) return
      const kind = exceeds(call, newest)
      if (kind) known.delete(kind)
    },
    refuses: (call, newest) => known.size > 0 && exceeds(call, newest) !== null,
    recall(kept) {
      for (const one of kept) known.set(one.kind, one)
    },
  }
}

/** Reads the parts of a URL that may be a key, the longest first. */
export function secretsOf(url: URL): string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password]
  return [...parts, ...parts.map(decodeOrEmpty)]
    .filter((part) => part.length >= MIN_SECRET)
    .sort((one, other) => other.length - one.length)
}

function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function shorten(words: string, secrets: readonly string[]): string {
  let shown = words
  for (const secret of secrets) shown = shown.replaceAll(secret, '…')
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS)
}

function hasAddress(filter: unknown): boolean {
  return typeof filter === 'object' && filter !== null && 'address' in filter && filter.address !== undefined
}
