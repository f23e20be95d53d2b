import { type EventLog, isSameAddress, type RpcRequest } from '@countersign/safe'
import { type Address, type Hex, hexToBigInt, isAddress, isHex, numberToHex } from 'viem'

/** Blocks by which the time between two of them is measured; a chain with fewer is read from its first. */
const SAMPLE = 50_000
/** A tenth more than the period, as blocks were not always as far apart. */
const MORE = 1.1
/** Blocks that a node is asked for which takes no more at once, and how often it is. */
const RANGE = 10_000
const MAX_RANGES = 40
/** Blocks whose time is asked for. */
const MAX_BLOCKS = 200

/** A log and its place on the chain. */
export type PlacedLog = EventLog & { blockNumber: number; logIndex: number; transactionHash: Hex }

/** The last seconds before a block: `newest` is the node's answer to `eth_getBlockByNumber` for its newest one. */
export type Period = { newest: Promise<unknown>; seconds: number }

/** Question of `eth_getLogs`, without the blocks. */
export type LogFilter = { address: Address; topics: readonly (Hex | readonly Hex[])[] }

/**
 * Reads all logs of a contract within the last seconds, by the time of the node's newest block, oldest first.
 *
 * @throws Error when the node does not say all of it
 * @example
 * const logs = await readLogsOfPeriod(request, filter, { newest, seconds: 86_400 })
 */
export async function readLogsOfPeriod(
  request: RpcRequest,
  filter: LogFilter,
  { newest: answer, seconds }: Period,
): Promise<PlacedLog[]> {
  const newest = parseBlock(await answer, 'latest')
  const since = newest.time - seconds
  const from = await blockBefore(request, newest, seconds)
  const logs = await readLogs(request, filter, from, newest.number)
  const blocks = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  if (blocks.length > MAX_BLOCKS) throw new Error(`Logs of ${blocks.length} blocks are more than ${MAX_BLOCKS}.`)
  const times = new Map(
    await Promise.all(
      blocks.map(async (number) => [number, (await readBlock(request, numberToHex(number))).time] as const),
    ),
  )
  return logs
    .filter(({ blockNumber }) => (times.get(blockNumber) ?? since) >= since)
    .toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex)
}

type Block = { number: number; time: number }

async function readBlock(request: RpcRequest, block: string): Promise<Block> {
  return parseBlock(await request({ method: 'eth_getBlockByNumber', params: [block, false] }), block)
}

function parseBlock(answer: unknown, block: string): Block {
  if (typeof answer === 'object' && answer !== null && 'number' in answer && 'timestamp' in answer) {
    const [number, time] = [Number(answer.number), Number(answer.timestamp)]
    if (Number.isSafeInteger(number) && Number.isSafeInteger(time)) return { number, time }
  }
  throw new Error(`The node did not say what the block ${block} is.`)
}

/** Finds a block that is at least so many seconds older than the newest; the first one of a chain that is younger. */
async function blockBefore(request: RpcRequest, newest: Block, seconds: number): Promise<number> {
  if (newest.number <= SAMPLE) return 0
  const sample = await readBlock(request, numberToHex(newest.number - SAMPLE))
  let blocks = Math.ceil((seconds * MORE * SAMPLE) / Math.max(1, newest.time - sample.time))
  while (blocks < newest.number) {
    const found = await readBlock(request, numberToHex(newest.number - blocks))
    if (newest.time - found.time >= seconds) return found.number
    blocks *= 2
  }
  return 0
}

async function readLogs(request: RpcRequest, filter: LogFilter, from: number, to: number): Promise<PlacedLog[]> {
  const read = async (first: number, last: number) => {
    const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last) }
    const answer = await request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })
    if (!Array.isArray(answer)) throw new Error('The node gave no logs.')
    return answer.map((log) => parseLog(log, filter, first, last))
  }
  try {
    return await read(from, to)
  } catch (error) {
    const ranges = Math.ceil((to - from + 1) / RANGE)
    if (ranges < 2 || ranges > MAX_RANGES) throw error
  }
  const logs: PlacedLog[] = []
  for (let first = from; first <= to; first += RANGE) logs.push(...(await read(first, Math.min(to, first + RANGE - 1))))
  return logs
}

/** A log of something else than was asked for makes the whole answer worthless. */
function parseLog(log: unknown, { address, topics }: LogFilter, first: number, last: number): PlacedLog {
  if (typeof log === 'object' && log !== null) {
    const { address: of, topics: told, data, blockNumber, logIndex, transactionHash } = log as Record<string, unknown>
    const [number, index] = [Number(blockNumber), Number(logIndex)]
    const isAsked =
      Array.isArray(told) &&
      told.every((topic) => isHex(topic) && topic.length === 66) &&
      topics.every((asked, at) => [asked].flat().some((one) => isSameWord(one, told[at])))
    const isPlaced = Number.isSafeInteger(index) && number >= first && number <= last
    if (typeof of === 'string' && isAddress(of, { strict: false }) && isSameAddress(of, address) && isAsked && isPlaced)
      if (isHex(data) && isHex(transactionHash))
        return { address, topics: told, data, blockNumber: number, logIndex: index, transactionHash }
  }
  throw new Error('The node gave a log that is none of what was asked for.')
}

function isSameWord(one: Hex, other: unknown): boolean {
  return isHex(other) && hexToBigInt(one) === hexToBigInt(other)
}
