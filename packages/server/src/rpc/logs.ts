import { fail } from '@countersign/contract'
import type { CountersignError, RpcRequest } from '@countersign/safe'
import { type Hex, numberToHex, padHex, toEventSelector } from 'viem'
import { z } from 'zod'
import type { Call } from './call.ts'
import { isRefusal } from './errors.ts'
import { parseRefusal } from './refusals.ts'

/** More addresses than this in one filter, and nodes begin to refuse. Nodes that take fewer are asked in parts. */
export const ADDRESSES_PER_REQUEST = 500
/** From here on it costs less to read the logs of all contracts and to look whom they are about. */
const MAX_FILTERED = 2_000
const BLOCKS_PER_BATCH = 100

export const transferTopics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
}

/** Bytes are lower-case throughout the follower: addresses get their checksum when they leave the database. */
export type Log = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: number
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
  /** Seconds since 1970. Newer nodes say it, which saves a request for each block. */
  blockTimestamp: number | null
}

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const number = hex.transform(Number)

/** Some chains have transactions of their own kinds, without calldata or value. */
export function hexOr(nothing: Hex) {
  return hex.nullish().transform((found) => found ?? nothing)
}

const block = z.object({ number, hash: hex, parentHash: hex, timestamp: number })
export type Block = z.output<typeof block>

const receipt = z.object({ from: hex, blockHash: hex, logs: z.array(z.unknown().transform(parseLog)) })

/** Transactions of another type have no such field, or null. */
const feeCap = hex
  .nullish()
  .catch(null)
  .transform((given) => (given && given !== '0x' && given.length <= 66 ? BigInt(given) : null))
const ethereumTransaction = z.object({
  hash: hex,
  from: hex,
  to: hex.nullish().transform((found) => found ?? null),
  input: hexOr('0x'),
  value: hexOr('0x0'),
  maxFeePerGas: feeCap,
  maxPriorityFeePerGas: feeCap,
})
export type EthereumTransaction = z.output<typeof ethereumTransaction>
export type FeeCaps = Pick<EthereumTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

const cost = z.object({ gasUsed: hex, effectiveGasPrice: hex.optional() })

/** Gas and cost of an Ethereum transaction, in wei. */
export type Cost = { gasUsed: bigint; fee: bigint | null }

/** The block at a number, or the newest; null when the node has none. */
export async function readBlock(request: RpcRequest, at: number | 'latest'): Promise<Block | null> {
  const place = at === 'latest' ? at : numberToHex(at)
  return block.nullable().parse(await request({ method: 'eth_getBlockByNumber', params: [place, false] }))
}

/** Blocks by number. @throws when the node has not all of them: it lags behind what it said before. */
export async function readBlocks(request: RpcRequest, numbers: readonly number[]): Promise<Map<number, Block>> {
  const found = new Map<number, Block>()
  for (let at = 0; at < numbers.length; at += BLOCKS_PER_BATCH) {
    const some = await Promise.all(numbers.slice(at, at + BLOCKS_PER_BATCH).map((number) => readBlock(request, number)))
    for (const [index, header] of some.entries()) {
      const wanted = numbers[at + index]
      if (!header || header.number !== wanted) throw fail('RPC_ERROR', { reason: 'no-block', wanted: String(wanted) })
      found.set(header.number, header)
    }
  }
  return found
}

/** @throws when the node has it not: it was asked for because of one of its logs. */
export async function readEthereumTransaction(request: RpcRequest, hash: Hex): Promise<EthereumTransaction> {
  const found = await request({ method: 'eth_getTransactionByHash', params: [hash] })
  if (found === null) throw fail('RPC_ERROR', { reason: 'no-transaction', hash })
  return ethereumTransaction.parse(found)
}

/** @throws when the node has it not: it was asked for because of one of its logs. */
export async function readReceipt(request: RpcRequest, hash: Hex): Promise<z.output<typeof receipt>> {
  const found = await request({ method: 'eth_getTransactionReceipt', params: [hash] })
  if (found === null) throw fail('RPC_ERROR', { reason: 'no-receipt', hash })
  return receipt.parse(found)
}

/** Null when the node has no receipt of it, or refuses: nothing depends on it. */
export async function readCost(request: RpcRequest, hash: Hex): Promise<Cost | null> {
  const found = await request({ method: 'eth_getTransactionReceipt', params: [hash] }).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw error
  })
  const read = cost.safeParse(found)
  if (!read.success) return null
  const { gasUsed, effectiveGasPrice } = read.data
  return {
    gasUsed: BigInt(gasUsed),
    fee: effectiveGasPrice === undefined ? null : BigInt(gasUsed) * BigInt(effectiveGasPrice),
  }
}

/** Answers of exactly so many logs may have been cut off, without a word: fewer blocks are asked for. */
const USUAL_BOUNDS = new Set([500, 1_000, 1_024, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000])

class CutAnswerError extends Error {
  constructor(logs: number) {
    super(`An answer of exactly ${logs} logs may not be whole.`)
  }
}

/**
 * Asks nodes for logs (`requestLogs` of a chain). Each filter has one answer, or several if the nodes take fewer names at once.
 */
export type LogRequest = (filters: readonly object[], range: LogRange, options?: LogOptions) => Promise<unknown[]>

/** As in `Call`. */
export type LogOptions = Pick<Call, 'isBehind' | 'signal'>

/** Blocks from one to another, which has this hash. */
export type LogRange = { fromBlock: number; toBlock: number; toHash: Hex }

/** Logs that concern some Safes, and whether transfers were asked for of named tokens alone. */
export type LogsOfSafes = { logs: Log[]; isOfNamedTokens: boolean }

type Asked = { safes: ReadonlySet<Hex>; topics: readonly Hex[] } & LogRange

/**
 * Reads the logs of a range of blocks that concern some Safes: those that the Safes emit, with one of the topics, and
 * transfers of tokens to and from them. In the order of the chain, each once.
 *
 * @param tokens gives the tokens to name where no node answers a query that names no contract
 * @param needsAddress whether that is known before it is asked
 */
export async function readLogs(
  request: LogRequest,
  asked: Asked,
  { tokens, needsAddress }: { tokens: () => Promise<readonly Hex[]>; needsAddress: boolean },
): Promise<LogsOfSafes> {
  const { safes, topics, ...range } = asked
  if (!needsAddress)
    try {
      const logs = await readLogsInRange(request, filtersOf(asked), range)
      return { logs: logs.filter((log) => concerns(log, safes)), isOfNamedTokens: false }
    } catch (error) {
      if (!isForLackOfAddress(error)) throw error
    }
  const own = groups([...safes]).map((address) => ({ address, topics: [topics] }))
  const named = groups(await tokens()).flatMap((address) => transfersOf(safes).map((of) => ({ address, ...of })))
  const logs = await readLogsInRange(request, [...own, ...named], range)
  return { logs: logs.filter((log) => concerns(log, safes)), isOfNamedTokens: true }
}

function filtersOf({ safes, topics }: Asked): object[] {
  const { transfer, single, batch } = transferTopics
  if (safes.size > MAX_FILTERED) return [{ topics: [[...topics, transfer, single, batch]] }]
  return [...groups([...safes]).map((address) => ({ address, topics: [topics] })), ...transfersOf(safes)]
}

/** Filters for transfers of any token to and from Safes. */
function transfersOf(safes: ReadonlySet<Hex>): { topics: unknown[] }[] {
  const { transfer, single, batch } = transferTopics
  return groups([...safes]).flatMap((some) => {
    const padded = some.map((value) => padHex(value))
    return [
      { topics: [transfer, padded] },
      // The sender of ERC-1155, the recipient of the others.
      { topics: [[transfer, single, batch], null, padded] },
      { topics: [[single, batch], null, null, padded] },
    ]
  })
}

/** Whether nodes refuse a query for logs as it names no contract. */
export function isForLackOfAddress(error: unknown): boolean {
  return parseRefusal({ method: 'eth_getLogs' }, error, null)?.kind === 'log-address'
}

/** The logs of a range of blocks that fit any of some filters. In the order of the chain, each once. */
export async function readLogsInRange(
  request: LogRequest,
  filters: readonly object[],
  range: LogRange,
): Promise<Log[]> {
  const { fromBlock, toBlock } = range
  const found = new Map<string, Log>()
  for (const answer of await request(filters, range)) {
    if (!Array.isArray(answer)) throw fail('RPC_ERROR', { reason: 'no-logs' })
    if (fromBlock < toBlock && USUAL_BOUNDS.has(answer.length)) throw new CutAnswerError(answer.length)
    for (const entry of answer) {
      const log = parseLog(entry)
      if (log.blockNumber < fromBlock || log.blockNumber > toBlock)
        throw fail('RPC_ERROR', { reason: 'other-log', blockNumber: log.blockNumber })
      found.set(`${log.blockNumber}/${log.logIndex}`, log)
    }
  }
  return inOrder([...found.values()])
}

/** In the order of the chain. */
export function inOrder(logs: readonly Log[]): Log[] {
  return logs.toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex)
}

export function isTransfer(log: Log): boolean {
  const topic = log.topics[0]
  return topic === transferTopics.transfer || topic === transferTopics.single || topic === transferTopics.batch
}

export function lowerCase(bytes: Hex): Hex {
  return `0x${bytes.slice(2).toLowerCase()}`
}

/** The chain moved on while it was read: the next round sees it. */
export function changed(blockNumber: number): CountersignError {
  return fail('RPC_ERROR', { reason: 'changed', blockNumber })
}

/** The address in a topic. */
export function topicAddress(topic: Hex | undefined): Hex {
  return `0x${(topic ?? '').slice(26)}`
}

function concerns(log: Log, safes: ReadonlySet<Hex>): boolean {
  if (safes.has(log.address)) return true
  return isTransfer(log) && log.topics.slice(1).some((topic) => safes.has(topicAddress(topic)))
}

function groups<item>(items: readonly item[]): item[][] {
  const found: item[][] = []
  for (let at = 0; at < items.length; at += ADDRESSES_PER_REQUEST)
    found.push(items.slice(at, at + ADDRESSES_PER_REQUEST))
  return found
}

/** By hand: logs come by the ten thousand. */
function parseLog(value: unknown): Log {
  if (typeof value !== 'object' || value === null) throw fail('RPC_ERROR', { reason: 'no-log' })
  const fields: Partial<Record<string, unknown>> = { ...value }
  if (fields.removed === true) throw fail('RPC_ERROR', { reason: 'removed-log' })
  const topics = fields.topics
  if (!Array.isArray(topics) || topics.length > 4) throw fail('RPC_ERROR', { reason: 'no-topics' })
  return {
    address: parseHex(fields.address, 20),
    topics: topics.map((topic) => parseHex(topic, 32)),
    data: parseHex(fields.data),
    blockNumber: parseNumber(fields.blockNumber),
    blockHash: parseHex(fields.blockHash, 32),
    transactionHash: parseHex(fields.transactionHash, 32),
    logIndex: parseNumber(fields.logIndex),
    blockTimestamp: fields.blockTimestamp == null ? null : parseNumber(fields.blockTimestamp),
  }
}

function parseHex(value: unknown, bytes?: number): Hex {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value) || (bytes && value.length !== 2 + 2 * bytes))
    throw fail('RPC_ERROR', { reason: 'log-value', value: String(value).slice(0, 80) })
  return lowerCase(`0x${value.slice(2)}`)
}

function parseNumber(value: unknown): number {
  const parsed = typeof value === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(parsed)) throw fail('RPC_ERROR', { reason: 'number', value: String(value).slice(0, 80) })
  return parsed
}
