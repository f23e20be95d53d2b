import { setMaxListeners } from 'node:events'
import { TimeoutError } from 'viem'
import { type Chain, type Chains, unreachable } from './clients.ts'
import type { Client } from './places.ts'

/** Time that one request waits for nodes in all: a person is told before the page gives up. */
const NODE_MS = 7_000

/** Cancels other requests for a question that is answered, such as one to a second node. */
const DONE = new Error('The question is answered.')

/**
 * The chains as one request asks them. Each question to a node has its own limit, and a node that takes nearly as long for
 * every one would keep a request of five questions five times as long: from now on they have one limit together.
 *
 * @param client account or network that made the request; the node requests that it causes use its places
 */
export function chainsOfOneRequest(chains: Chains, client: Client, milliseconds = NODE_MS): Chains {
  const deadline = performance.now() + milliseconds
  return new Map(Array.from(chains, ([chainId, chain]) => [chainId, boundedBy(deadline, client, chain)]))
}

/** One chain, as `chainsOfOneRequest` has it. */
export function chainOfOneRequest(chain: Chain, client: Client): Chain {
  return boundedBy(performance.now() + NODE_MS, client, chain)
}

function boundedBy(deadline: number, client: Client, chain: Chain): Chain {
  const late = () => new TimeoutError({ body: {}, url: chain.settings.name })
  const isAway = () => unreachable(chain.settings, late())
  return {
    ...chain,
    client,
    // It changes while the request runs.
    get status() {
      return chain.status
    },
    request: (call) => whileWaited(deadline, client, ({ signal }) => chain.request({ ...call, signal }), late),
    requestLogs: (filters, range, options) =>
      whileWaited(deadline, client, ({ signal }) => chain.requestLogs(filters, range, { ...options, signal }), late),
    ask: (call) => whileWaited(deadline, client, (waited) => chain.ask(call, waited), late),
    forward: (body, options) =>
      whileWaited(deadline, client, (waited) => chain.forward(body, { ...options, client: waited }), isAway),
    // At the deadline, late nodes count as silent, and the answers of the others are returned.
    readBlockHashes: (blockNumber) => chain.readBlockHashes(blockNumber, waitedUntil(deadline, client)),
    readSafe: (address, options) =>
      whileWaited(deadline, client, ({ signal }) => chain.readSafe(address, { ...options, signal }), isAway),
  }
}

/** Like `within`, for calls that end at the deadline or when the client leaves. */
async function whileWaited<result>(
  deadline: number,
  { key, signal }: Client,
  work: (client: Client) => Promise<result>,
  late: () => Error,
): Promise<result> {
  const over = new AbortController()
  const waited = { key, signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal }
  // A request for logs can have many parts. Node warns at the eleventh listener.
  setMaxListeners(0, waited.signal)
  try {
    return await within(deadline, () => work(waited), late)
  } catch (error) {
    over.abort(error)
    throw error
  } finally {
    over.abort(DONE)
  }
}

function waitedUntil(deadline: number, { key, signal }: Client): Client {
  const over = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())))
  return { key, signal: signal ? AbortSignal.any([signal, over]) : over }
}

/** Answers after the deadline are dropped; the node's own limits end them. */
async function within<result>(deadline: number, work: () => Promise<result>, late: () => Error): Promise<result> {
  const left = deadline - performance.now()
  if (left <= 0) throw late()
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), left)
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
