import { fail, type NodeLimitKind } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { z } from 'zod'
import type { Call } from './call.ts'
import { isRevert } from './errors.ts'
import { askInParts } from './log-filter.ts'
import { changed, readBlock } from './logs.ts'
import type { NodeAnswer, Nodes } from './nodes.ts'

/** Asked at a block, by number or hash, which stands second among the parameters; at storage, third. */
const AT_BLOCK: Partial<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
}
const OF_CHAIN = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_getTransactionByHash', 'eth_getTransactionReceipt']

const text = z.string().transform((value) => value.toLowerCase())
const texts = z
  .string()
  .optional()
  .nullable()
  .transform((value) => value?.toLowerCase() ?? null)
const log = z.object({
  address: text,
  topics: z.array(text),
  data: text,
  blockNumber: text,
  blockHash: text,
  transactionHash: text,
  logIndex: text,
})
/** Fields in which nodes have to agree; each adds others as it likes. */
const facts: Partial<Record<string, z.ZodType>> = {
  eth_getLogs: z.array(log).transform((logs) => logs.map((log) => JSON.stringify(log)).sort()),
  eth_getBlockByNumber: z.object({
    number: text,
    hash: text,
    parentHash: text,
    timestamp: text,
    transactions: z.array(z.union([text, z.object({ hash: text }).transform(({ hash }) => hash)])).optional(),
  }),
  eth_getTransactionByHash: z.object({
    hash: text,
    from: text,
    to: texts,
    input: texts,
    value: texts,
    blockHash: texts,
  }),
  eth_getTransactionReceipt: z.object({ from: text, blockHash: text, status: texts, logs: z.array(log) }),
}

/**
 * Asks several nodes, and gives only what all of them say. What one of them does not know yet is an error like any other:
 * it lags.
 *
 * @throws CountersignError `NODES_DISAGREE` with hosts and block; `CHAIN_UNREACHABLE` when too few answer
 */
export function createAgreement(nodes: Nodes, count: number): Nodes['request'] {
  async function request(call: Call): Promise<unknown> {
    const { method, params = [] } = call
    const at = AT_BLOCK[method]
    const isHead = method === 'eth_blockNumber' || (method === 'eth_getBlockByNumber' && params[0] === 'latest')
    // The newest state is another for each node; nobody writes it down.
    if (!isHead && !OF_CHAIN.includes(method) && (at === undefined || params[at] === 'latest'))
      return nodes.request(call)
    const answers = await nodes.requestEach(call, count)
    if (isHead) return lowest(answers)
    const [first, ...others] = answers
    if (!first) throw laggingNodeError(call, answers)
    const known = canonical(method, first)
    const differs = others.find((other) => canonical(method, other) !== known)
    if (differs) throw await disagreementError(call, [first, differs])
    return answerOf(first)
  }

  /** A node without the block that it is about lags. */
  async function disagreementError(call: Call, answers: [NodeAnswer, NodeAnswer]): Promise<Error> {
    if (answers.some(({ result }) => result === null)) return laggingNodeError(call, answers)
    const blockNumber = await blockOf(call, answers)
    if (call.method === 'eth_getLogs') {
      const blocks = await Promise.all(
        answers.map(({ node }) =>
          node.request({ ...call, method: 'eth_getBlockByNumber', params: [hexOf(blockNumber), false] }),
        ),
      )
      if (blocks.includes(null)) return laggingNodeError(call, answers)
    }
    const hosts = answers.map(({ node }) => node.host)
    return fail('NODES_DISAGREE', { reason: 'answers', hosts, blockNumber, method: call.method })
  }

  return request
}

/** Asks several nodes for logs, each of which has to have the last block of the range. */
export function logsByAgreement(request: Nodes['request'], nodes: Pick<Nodes, 'limits'>): Nodes['requestLogs'] {
  // All of them are asked the same: in parts that each of them takes.
  const most = (of: NodeLimitKind) =>
    Math.min(
      ...nodes.limits().map(({ limits }) => limits.find(({ kind }) => kind === of)?.value ?? Number.POSITIVE_INFINITY),
    )
  const mostNamed = () => ({ addresses: most('log-addresses'), topics: most('log-topics') })
  return async (filters, { fromBlock, toBlock, toHash }, options = {}) => {
    const blocks = { fromBlock: hexOf(fromBlock), toBlock: hexOf(toBlock) }
    const ask = (part: object) => request({ ...options, method: 'eth_getLogs', params: [part] })
    const [last, ...logs] = await Promise.all([
      readBlock((call) => request({ ...call, ...options }), toBlock),
      ...filters.map((filter) => askInParts({ ...filter, ...blocks }, mostNamed, ask)),
    ])
    if (last?.hash !== toHash) throw changed(toBlock)
    return logs.flat()
  }
}

function answerOf({ result, error }: NodeAnswer): unknown {
  if (error !== undefined) throw error
  return result
}

/** The lower head: up to there both know the chain. */
function lowest(answers: readonly NodeAnswer[]): unknown {
  const numberOf = (result: unknown) =>
    Number(z.union([z.string(), z.object({ number: z.string() }).transform((block) => block.number)]).parse(result))
  const results = answers.map(answerOf)
  return results.toSorted((one, other) => numberOf(one) - numberOf(other))[0]
}

/** A node's refusal passes through; a revert of a contract is an answer. */
function canonical(method: string, { result, error }: NodeAnswer): string {
  if (error !== undefined) {
    if (isRevert(error)) return 'reverted'
    throw error
  }
  if (result === null) return 'null'
  return JSON.stringify((facts[method] ?? text).parse(result))
}

function laggingNodeError({ method }: Call, answers: readonly NodeAnswer[]): CountersignError {
  const host =
    answers.find(({ result }) => result === null || Array.isArray(result))?.node.host ?? answers[0]?.node.host
  return fail('RPC_ERROR', { reason: 'lags', host: host ?? '', method })
}

const place = z.union([
  z.string().transform(Number),
  z.object({ toBlock: z.string() }).transform(({ toBlock }) => Number(toBlock)),
  z.object({ blockNumber: z.string() }).transform(({ blockNumber }) => Number(blockNumber)),
])
const byHash = z.object({ blockHash: z.string() })

/** The block that a question is about; -1 when the node that knows its hash does not tell its number. */
async function blockOf(call: Call, [{ node, result }]: [NodeAnswer, NodeAnswer]): Promise<number> {
  const { method, params = [] } = call
  const isOfTransaction = method === 'eth_getTransactionByHash' || method === 'eth_getTransactionReceipt'
  const at = isOfTransaction ? result : params[AT_BLOCK[method] ?? 0]
  const { blockHash } = byHash.safeParse(isOfTransaction ? null : at).data ?? {}
  const header =
    blockHash && (await node.request({ ...call, method: 'eth_getBlockByHash', params: [blockHash, false] }))
  const number = z.object({ number: z.string() }).safeParse(header).data?.number
  return place.safeParse(number ?? at).data ?? -1
}

function hexOf(number: number): string {
  return `0x${number.toString(16)}`
}
