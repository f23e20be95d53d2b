import type { NodeLimitKind } from '@countersign/contract'
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { z } from 'zod'
import type { Call } from './call.ts'
import { isDenied, isRefusal, isRevert } from './errors.ts'
import { namesOf } from './log-filter.ts'

/**
 * A refusal of a node, in its own words. `value` is what it takes, in the unit of the kind; null where it does not say.
 * Without a kind another node may answer, and nothing is learned.
 */
export type Refusal = { kind: NodeLimitKind | null; value: number | null; words: string }

/** How nodes say that they have no such method. */
export const NO_METHOD = [-32601, -32004]
/** How a node says within JSON-RPC that it was asked too often. */
export const TOO_OFTEN = [429, -32029]
/** This one, too; of logs it says that there are too many. */
export const LIMIT_EXCEEDED = -32005
/** The node's own trouble: an internal error, a resource that is away, too much at the moment. */
const TROUBLE = [-32603, -32002, LIMIT_EXCEEDED, ...TOO_OFTEN]
const DEDICATED: readonly [RegExp, NodeLimitKind][] = [
  [/^(debug_|trace_)/, 'traces'],
  [/^eth_getProof$/, 'proofs'],
  [/^eth_simulateV1$/, 'simulation'],
]
/** Asked at a block: where it stands among the parameters. */
const AT_BLOCK: Partial<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

/* Providers have no codes in common for these: their words are all that tells them apart. */
const NOT_OFFERED =
  /not (?:available|supported|found|allowed|whitelisted|enabled|exist)|does not exist|unsupported|disabled|upgrade|paid|tier/i
const STATE_GONE =
  /missing trie node|header not found|state .{0,80}(?:not available|not found|unavailable|pruned)|pruned|archive|historical|too old|older than|distance to target block/i
const TAKES_NO_OVERRIDES = /override|too many arguments|invalid argument 2/i
const WANTS_ADDRESS =
  /(?:specify|missing|require|must|without|provide|need)\D{0,40}address|address\D{0,40}(?:required|missing|must)/i
const TOO_MANY_NAMES =
  /too many (?:addresses|topics|contracts)|filter (?:is )?too (?:large|big|complex)|(?:max|exceed|limit|up to|at most|more than|over)\w*[^.]{0,40}\b(?:addresses|topics)\b|\b(?:addresses|topics)\b[^.]{0,60}(?:max|exceed|limit|up to|at most|more than|too many|over)/i
const ANSWER_TOO_LARGE = /(?:response|answer|body|payload) (?:size|is too|too)|too large (?:a )?response/i
const TOO_MANY_RESULTS = /results?\b|logs matched|too many logs|more than [\d,]+ logs/i
/** The node's own trouble under a code that means anything. */
const TROUBLED = /overload|try again|tim(?:ed ?|e-?)out|temporar|unavailable|too many requests|rate.?limit|\bbusy\b/i
const TAKEN = /(?:max(?:imum)?|limit(?:ed)?|up to|at most|exceeds?|more than)[^\d]{0,40}(\d[\d,]{0,11})(k)?/i

/** Archive nodes keep everything; below this many blocks a node that does not answer lags instead. */
const MIN_DEPTH = 32

/**
 * Tells a refusal of the node from an answer that is an error, as a contract's revert is.
 *
 * @param newest the newest block of the node, as far as it is known
 */
// Complexity: the order of the questions is the rule: the first that applies decides.
export function parseRefusal(call: Call, error: unknown, newest: number | null): Refusal | null {
  if (error instanceof TimeoutError || isRevert(error)) return null
  const words = wordsOf(error)
  const refusal = (kind: NodeLimitKind | null, value: number | null = null) => ({ kind, value, words })
  const { method, params = [] } = call
  const lacks = error instanceof RpcRequestError && NO_METHOD.includes(error.code)
  const dedicated = dedicatedLimit(method)
  if (isDenied(error)) return dedicated ? refusal(dedicated) : null
  if (!isRefusal(error)) return null
  if (error instanceof ResponseBodyTooLargeError) return refusal('answer-size')
  if (dedicated && (lacks || NOT_OFFERED.test(words)) && !STATE_GONE.test(words)) return refusal(dedicated)
  if (method === 'eth_getLogs') return refusal(...logLimitOf(call, error, words))
  if (lacks) return refusal(null)
  if (params.length > 2 && method === 'eth_call' && TAKES_NO_OVERRIDES.test(words)) return refusal('overrides')
  if (isAboutBlock(method) && STATE_GONE.test(words)) return refusal(...archiveLimit(depthOf(call, newest)))
  return isTrouble(error) ? refusal(null) : null
}

/** The limit that a node without the state of a block has; none when it only lags behind. */
function archiveLimit(depth: number | null): [kind: 'archive' | null, value: number | null] {
  return depth === null || depth < MIN_DEPTH ? [null, null] : ['archive', depth - 1]
}

/** Returns the limit by which a node refuses a method as a whole; null for methods that every node has. */
export function dedicatedLimit(method: string): NodeLimitKind | null {
  return DEDICATED.find(([form]) => form.test(method))?.[1] ?? null
}

/** Whether a method asks for the state of a block, which a node may no longer have. */
function isAboutBlock(method: string): boolean {
  return AT_BLOCK[method] !== undefined || /^(debug_|trace_)/.test(method)
}

/** Whether an error is about the node that says it, and not about what it was asked. */
export function isTrouble(error: unknown): boolean {
  if (!(error instanceof RpcRequestError)) return error instanceof HttpRequestError
  return TROUBLE.includes(error.code) || TROUBLED.test(error.details)
}

function logLimitOf(call: Call, error: unknown, words: string): [NodeLimitKind, number | null] {
  const many = TOO_MANY_NAMES.test(words) ? manyNamed(call, words) : null
  if (many) return many
  if (WANTS_ADDRESS.test(words)) return ['log-address', null]
  if (ANSWER_TOO_LARGE.test(words)) return ['answer-size', null]
  if (TOO_MANY_RESULTS.test(words)) return ['log-results', takenOf(words)]
  const blocks = blocksOf(call) ?? 1
  return ['log-range', namedBlocks(call, error) ?? blocks - 1]
}

/** Addresses, or values of a topic, that a node takes in one query; null where the query names no two. */
function manyNamed(call: Call, words: string): [NodeLimitKind, number] | null {
  const { addresses, topics } = namesOf(call)
  const areTopics = addresses < 2 || (topics > addresses && /topic/i.test(words))
  const asked = areTopics ? topics : addresses
  if (asked < 2) return null
  const said = takenOf(words) ?? asked
  return [areTopics ? 'log-topics' : 'log-addresses', said < asked ? said : Math.floor(asked / 2)]
}

/** Blocks that a node which refuses a query for logs says it would take; null where it names none, or more than asked. */
export function namedBlocks(call: Call, error: unknown): number | null {
  const words = wordsOf(error)
  if ([WANTS_ADDRESS, TOO_MANY_NAMES, ANSWER_TOO_LARGE].some((form) => form.test(words))) return null
  const named = hintOf(error, call) ?? (TOO_MANY_RESULTS.test(words) ? null : takenOf(words))
  return named !== null && named < (blocksOf(call) ?? 1) ? named : null
}

/** Some nodes say in the data where the range would have to end. */
function hintOf(error: unknown, call: Call): number | null {
  const { to } = z.object({ data: z.object({ to: z.string() }) }).safeParse(error).data?.data ?? {}
  const blocks = Number(to) - (rangeOf(call)?.from ?? Number.NaN) + 1
  return Number.isSafeInteger(blocks) && blocks > 0 ? blocks : null
}

/** The number that the words name as the most that is taken: of blocks, results or requests. */
export function takenOf(words: string): number | null {
  const [, digits, thousands] = TAKEN.exec(words) ?? []
  if (digits === undefined) return null
  const value = Number(digits.replaceAll(',', '')) * (thousands === undefined ? 1 : 1_000)
  return value > 0 ? value : null
}

const logRange = z.object({ fromBlock: z.string(), toBlock: z.string() })

function rangeOf({ params = [] }: Call): { from: number; to: number } | null {
  const { fromBlock, toBlock } = logRange.safeParse(params[0]).data ?? {}
  const [from, to] = [Number(fromBlock), Number(toBlock)]
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) ? { from, to } : null
}

/** Blocks that a query for logs spans; null for any other call, and where it names no numbers. */
export function blocksOf(call: Call): number | null {
  const range = call.method === 'eth_getLogs' ? rangeOf(call) : null
  return range && range.to - range.from + 1
}

/** Blocks from the one whose state a call asks for to the newest; null where that is not known. */
export function depthOf({ method, params = [] }: Call, newest: number | null): number | null {
  const at = params[AT_BLOCK[method] ?? (/^(debug_|trace_)/.test(method) ? 0 : 9)]
  const number = typeof at === 'string' && /^0x[0-9a-f]{1,13}$/i.test(at) ? Number(at) : null
  return number === null || newest === null ? null : newest - number
}

function wordsOf(error: unknown): string {
  if (error instanceof RpcRequestError) return error.details
  if (error instanceof HttpRequestError) return error.details ? error.details : `HTTP ${error.status ?? ''}`
  return error instanceof Error ? error.message : ''
}
