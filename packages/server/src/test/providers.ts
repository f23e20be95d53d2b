import { z } from 'zod'
import type { Answer, Asked, Reply, Script } from './scripted-node.ts'

/** Limits of a provider; what is absent has none. */
export type Taking = {
  /** Blocks of one query for logs, and the words of the refusal. */
  range?: { blocks: number; code: number; words: string }
  /** Logs of one answer. */
  results?: { logs: number; code: number; words: string }
  needsAddress?: { code: number; words: string }
  /** Addresses that one filter names and, where topics are meant too, values of a topic. */
  names?: { most: number; areTopics?: boolean; code: number; words: string }
  /** Requests of one batch; refused with this status. */
  batch?: { requests: number; status: number; code: number; words: string }
  /** Requests in a second. */
  rate?: { requests: number; words: string }
  /** Blocks below the newest whose state is kept. */
  archive?: { blocks: number; code: number; words: string }
  lacks?: readonly string[]
  overrides?: { code: number; words: string }
  /** An answer that is no JSON, to everything. */
  html?: string
  /** Logs of one answer; more are left out without a word. */
  cut?: number
}

/** Twelve providers by their documents, in their own words; figures small enough for a chain of some thousand blocks. */
export const providers = {
  'takes 100 blocks': {
    range: { blocks: 100, code: -32614, words: 'eth_getLogs is limited to a 100 range' },
  },
  'takes 10 blocks, and names them': {
    range: {
      blocks: 10,
      code: -32600,
      words: 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
    },
  },
  'takes so many results': {
    results: { logs: 5, code: -32005, words: 'query returned more than 5 results' },
  },
  'needs an address': {
    needsAddress: {
      code: -32701,
      words: 'Please specify an address in your request or, to remove restrictions, order a dedicated full node.',
    },
  },
  'takes few addresses in a filter': {
    names: { most: 1, code: -32602, words: 'too many addresses in filter: the maximum is 1' },
  },
  'takes few addresses and topics, and does not say how many': {
    names: {
      most: 3,
      areTopics: true,
      code: -32000,
      words: 'exceed max addresses or topics per search position',
    },
  },
  'takes three in a batch': {
    batch: {
      requests: 3,
      status: 500,
      code: 31,
      words: 'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account.',
    },
  },
  'limits the rate': {
    rate: { requests: 60, words: 'Your app has exceeded its compute units per second capacity.' },
  },
  'limits the size of answers': {
    results: { logs: 4, code: -32602, words: 'Log response size exceeded. Try a smaller block range.' },
  },
  'keeps little state': {
    archive: { blocks: 64, code: -32000, words: 'missing trie node 9f1e (path ) state 0x52 is not available' },
  },
  'has no traces, proofs, overrides, simulation': {
    lacks: ['debug_traceBlockByNumber', 'debug_traceTransaction', 'eth_getProof', 'eth_simulateV1'],
    overrides: { code: -32602, words: 'too many arguments, want at most 2' },
  },
  'has several limits at once': {
    range: { blocks: 100, code: -32062, words: 'Block range is too large' },
    batch: { requests: 10, status: 200, code: -32600, words: 'batch size too large, at most 10' },
    lacks: ['debug_traceBlockByNumber', 'debug_traceTransaction'],
    archive: { blocks: 64, code: -32000, words: 'historical state is not available' },
  },
} as const satisfies Record<string, Taking>

export type ProviderName = keyof typeof providers

const filter = z.object({
  address: z.union([z.string(), z.array(z.string())]).optional(),
  topics: z.array(z.unknown()).optional(),
  fromBlock: z.string(),
  toBlock: z.string(),
})
const PLACE: Partial<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

/** Plays a provider: limits, refusals and words. `taking` is asked each time: limits change. */
export function playing(taking: () => Taking, headOf: () => Promise<number>): Script {
  const sent: number[] = []
  return async (asked, truth): Promise<Answer[] | Reply> => {
    const { html, batch, rate } = taking()
    if (html !== undefined) return { text: html }
    if (batch && asked.length > batch.requests)
      return { status: batch.status, text: errorText(null, batch.code, batch.words) }
    if (rate) {
      const now = performance.now()
      while (sent[0] !== undefined && sent[0] < now - 1_000) sent.shift()
      if (sent.length + asked.length > rate.requests) return { status: 429, text: errorText(null, 429, rate.words) }
      sent.push(...asked.map(() => now))
    }
    const head = await headOf()
    const answers = await truth()
    return asked.flatMap((call) => {
      const answer = answers.find(({ id }) => id === call.id)
      return answer ? [answerOf(taking(), call, answer, head)] : []
    })
  }
}

function answerOf(taking: Taking, call: Asked, answer: Answer, head: number): Answer {
  const { range, results, names, needsAddress, archive, lacks, overrides, cut } = taking
  const refuse = ({ code, words }: { code: number; words: string }): Answer => ({
    jsonrpc: '2.0',
    id: call.id,
    error: { code, message: words },
  })
  const { method, params } = call
  if (lacks?.includes(method)) return refuse({ code: -32601, words: `the method ${method} does not exist` })
  if (overrides && method === 'eth_call' && params.length > 2) return refuse(overrides)
  const place = params[PLACE[method] ?? 9]
  if (archive && typeof place === 'string' && place.startsWith('0x') && Number(place) < head - archive.blocks)
    return refuse(archive)
  if (method !== 'eth_getLogs') return answer
  const { address, topics = [], fromBlock, toBlock } = filter.parse(params[0])
  if (needsAddress && (address === undefined || address.length === 0)) return refuse(needsAddress)
  const named = [address ?? [], ...(names?.areTopics ? topics : [])]
  if (names && named.some((some) => Array.isArray(some) && some.length > names.most)) return refuse(names)
  if (range && Number(toBlock) - Number(fromBlock) + 1 > range.blocks) return refuse(range)
  if (!Array.isArray(answer.result)) return answer
  // A single block is always answered: no provider can split it.
  if (results && answer.result.length > results.logs && fromBlock !== toBlock) return refuse(results)
  return cut === undefined || fromBlock === toBlock ? answer : { ...answer, result: answer.result.slice(0, cut) }
}

function errorText(id: number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
