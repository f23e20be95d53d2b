import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@countersign/e2e'
import { type Hex, numberToHex } from 'viem'
import { requestAll } from './json-rpc.ts'

type Asked = { id: number; method: string; params?: unknown[] }
type Fields = Record<string, unknown>

const BLOCK_SECONDS = 12
/** Index of the parameter that names a block, by method. */
const STATE_PLACE: Partial<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  debug_traceBlockByNumber: 0,
  eth_getBlockReceipts: 0,
}

/** A chain of many blocks, of which those of a real node are a few: all others are empty. */
export type LongChain = { url: string; requests: number; exchanges: number; close(): void }

/**
 * Plays a chain of the length of a mainnet in front of a local node: its blocks from `from` on lie spread over the upper part,
 * those before stay where they are. A query for logs takes so many blocks, and each exchange so long, as with a hosted node.
 */
export async function startLongChain(
  nodeUrl: string,
  place: { from: number; last: number; spread: readonly [number, number]; head: number },
  { blocksPerQuery, milliseconds }: { blocksPerQuery: number; milliseconds: number },
): Promise<LongChain> {
  const { from, last, head } = place
  const [lowest, highest] = place.spread
  const step = Math.floor((highest - lowest) / Math.max(1, last - from))
  const base = Math.floor(Date.now() / 1000) - head * BLOCK_SECONDS
  const heightOf = (real: number) => (real < from ? real : lowest + (real - from) * step)
  /** The last real block up to a height, whose state is that of all empty ones above it. */
  const realBelow = (height: number) => {
    if (height < lowest) return Math.min(height, from - 1)
    return Math.min(last, from + Math.floor((height - lowest) / step))
  }
  const hashOf = (height: number): Hex => `0x${'b10c'.repeat(12)}${height.toString(16).padStart(16, '0')}`
  const timeOf = (height: number) => numberToHex(base + height * BLOCK_SECONDS)
  const heightIn = (tag: unknown): number => {
    const given = typeof tag === 'object' && tag !== null && 'blockHash' in tag ? tag.blockHash : tag
    if (typeof given !== 'string' || !given.startsWith('0x')) return given === 'earliest' ? 0 : head
    return Number(given.length === 66 ? `0x${given.slice(50)}` : given)
  }
  /** Writes heights where the node wrote numbers of its own. */
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    const fields: Fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, moved(field)]))
    if (typeof fields.blockNumber !== 'string') return fields
    const height = heightOf(Number(fields.blockNumber))
    const time = 'blockTimestamp' in fields ? { blockTimestamp: timeOf(height) } : {}
    return { ...fields, blockNumber: numberToHex(height), blockHash: hashOf(height), ...time }
  }
  const ask = async (method: string, ...params: unknown[]) => (await requestAll(nodeUrl, [{ method, params }]))[0]

  async function readBlock(height: number, isFull: unknown): Promise<unknown> {
    if (height > head) return null
    const real = realBelow(height)
    const isReal = heightOf(real) === height
    const block = (await ask('eth_getBlockByNumber', numberToHex(real), isFull ?? false)) as Fields
    return {
      ...(moved(block) as Fields),
      number: numberToHex(height),
      hash: hashOf(height),
      timestamp: timeOf(height),
      parentHash: hashOf(Math.max(0, height - 1)),
      ...(isReal ? {} : { transactions: [] }),
    }
  }

  async function readLogs(filter: Fields): Promise<unknown> {
    const [low, high] =
      'blockHash' in filter
        ? [heightIn(filter.blockHash), heightIn(filter.blockHash)]
        : [heightIn(filter.fromBlock), heightIn(filter.toBlock)]
    if (high - low >= blocksPerQuery) throw new Error(`query exceeds max block range ${blocksPerQuery}`)
    const [first, end] = [realBelow(low - 1) + 1, realBelow(high)]
    if (end < first) return []
    const { blockHash: _, ...rest } = filter
    return moved(await ask('eth_getLogs', { ...rest, fromBlock: numberToHex(first), toBlock: numberToHex(end) }))
  }

  async function answer({ method, params = [] }: Asked): Promise<unknown> {
    if (method === 'eth_blockNumber') return numberToHex(head)
    if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash')
      return readBlock(heightIn(params[0]), params[1])
    if (method === 'eth_getLogs') return readLogs(params[0] as Fields)
    const at = STATE_PLACE[method]
    if (at === undefined) return moved(await ask(method, ...params))
    const height = heightIn(params[at])
    const real = realBelow(height)
    if (method.includes('Block') && heightOf(real) !== height) return []
    return moved(await ask(method, ...params.with(at, numberToHex(real))))
  }

  const counted = { requests: 0, exchanges: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: Asked | Asked[] = JSON.parse(Buffer.concat(chunks).toString())
    const asked = [body].flat()
    counted.exchanges += 1
    counted.requests += asked.length
    const [answers] = await Promise.all([
      Promise.all(
        asked.map(async (one) => {
          const { id } = one
          return answer(one).then(
            (result) => ({ jsonrpc: '2.0', id, result }),
            (error: Error) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: error.message } }),
          )
        }),
      ),
      sleep(milliseconds),
    ])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(counted, {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  })
}
