import { setTimeout as sleep } from 'node:timers/promises'
import { fail, type NodeLimitKind } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { type Hex, numberToHex } from 'viem'
import type { ChainSettings } from '../config/chains.ts'
import { type Call, isQuick } from './call.ts'
import { isNodeFailure } from './errors.ts'
import { askOthers, callsOf } from './forward.ts'
import { askInParts } from './log-filter.ts'
import { type Block, changed, type LogOptions, type LogRange, type LogRequest, readBlock } from './logs.ts'
import { machineOf } from './machine-of.ts'
import { createNode, type ForwardOptions, type Node } from './node.ts'
import type { LearnedLimit } from './node-limits.ts'
import type { Client } from './places.ts'
import { parseRefusal } from './refusals.ts'

const ASK_MS = 5_000
/** A node that has not answered by then is not waited for alone. */
const SLOW_MS = 1_500
/** A person may be waiting: no request waits longer than this for a node that is to be left alone. */
const MAX_WAIT_MS = 3_000
const SURVEY_MS = 5_000
/** For the hash of one block. A node that has it not yet is asked again after the second. */
const HASH_MS = 2_000
const LATE_MS = 1_000
/** A node whose newest block is this much older than another's is asked after the others. */
const BEHIND_SECONDS = 30
/** Clocks differ; a block from further in the future is a lie, and makes no other node late. */
const AHEAD_SECONDS = 60
/** A node that is on another branch than the others is asked after them for so long: it may be back. */
const STRAY_MS = 300_000

/** The nodes of a chain, in the order of the configuration. */
export type Nodes = {
  /**
   * Sends the call to the first healthy node that is not known to refuse it, and falls back to the next on failure and
   * refusal. Returns to the first once it recovers.
   */
  request: (call: Call) => Promise<unknown>
  /**
   * Logs of a range of blocks by several filters, each of a node that takes it, and that has the last block of the range:
   * one that lags has no logs there, either. A filter that names more than the node takes is asked in parts, each of which has
   * an answer.
   *
   * @throws CountersignError `RPC_ERROR` when no node that answers has that block
   */
  requestLogs: LogRequest
  /** Sends the call without a second try; where a node lacks the method, to another. */
  ask: (call: Call, client?: Client) => Promise<unknown>
  /**
   * Asks the next node for what one refuses of a batch or leaves out, and beside one that is slow; where all refuse, the
   * answer is in the first one's words.
   */
  forward: (body: unknown, options: ForwardOptions) => Promise<string>
  /** Number of the newest block that any node reported. Null before the first report. */
  newest: () => number | null
  /** Limits of each node, as they are known now. */
  limits: () => { name: string; limits: LearnedLimit[] }[]
  /** Limits that an earlier process kept. */
  recallLimits: (name: string, kept: readonly LearnedLimit[]) => void
  /**
   * Sends the call to `count` different nodes.
   *
   * @throws CountersignError `CHAIN_UNREACHABLE` when there are not so many that answer
   */
  requestEach: (call: Call, count: number) => Promise<NodeAnswer[]>
  /**
   * Asks each node for some blocks, as a follower. If one has any of them, nodes with different blocks at these numbers are asked
   * last for a while. A node that does not answer, or has no blocks there, is in neither list.
   */
  findNodesWithBlocks: (blocks: ReadonlyMap<number, Hex>) => Promise<{ having: string[]; lacking: string[] }>
  /**
   * Asks each node separately for the hash of a block and the time of its newest block. Null if the node does not answer or does
   * not have the block, or if the client has left.
   */
  readBlockHashes: (blockNumber: number, client: Client) => Promise<NodeWord[]>
  /** Looks at all of them, at most every few seconds: who is back, who lags behind the others. Waits for the first look. */
  survey: () => Promise<void>
}

/** The word of one node on a block. `newestTime` is that of its newest block, in seconds since 1970. */
export type NodeWord = { name: string; host: string; hash: Hex | null; newestTime: number | null }

/** Answer of one node; `error` when it refuses. */
export type NodeAnswer = { node: Node; result?: unknown; error?: unknown }

type NodesState = {
  nodes: readonly Node[]
  name: string
  chainId: number
  behind: Set<Node>
  /** Somebody waits for them longer than usual. */
  slow: Set<Node>
  /** Until when. */
  stray: Map<Node, number>
  probed: Set<Node>
  surveyedAt: number
}

export function createNodes({ chainId, name, rpcUrls, requestsPerSecond }: ChainSettings): Nodes {
  // One that is named twice is one, and agrees with itself.
  const urls = [...new Set(rpcUrls)]
  const hosts = urls.map((url) => new URL(url).host)
  const nodes = urls.map((url, at) => {
    const host = hosts[at] ?? ''
    // Two keys at one provider.
    const before = hosts.slice(0, at).filter((other) => other === host).length
    return createNode(url, { host: before > 0 ? `${host} (${before + 1})` : host, chainId, requestsPerSecond })
  })
  const state: NodesState = {
    nodes,
    name,
    chainId,
    behind: new Set(),
    slow: new Set(),
    stray: new Map(),
    probed: new Set(),
    surveyedAt: Number.NEGATIVE_INFINITY,
  }
  return {
    request: (call) => request(state, call),
    requestLogs: (filters, range, options) => requestLogs(state, { filters, range, ...options }),
    ask: (call, client) =>
      once(
        state,
        (node) => node.ask(call, ASK_MS, client),
        (error, node) =>
          !client?.signal?.aborted && (isNodeFailure(error) || parseRefusal(call, error, node.newest()) !== null),
        [call],
      ),
    forward: (body, options) => forward(state, body, options),
    newest: () => nodes.reduce((most: number | null, node) => higher(most, node.newest()), null),
    limits: () => nodes.map(({ host, limits }) => ({ name: host, limits: limits.all() })),
    recallLimits: (name, kept) => nodes.find(({ host }) => host === name)?.limits.recall(kept),
    requestEach: (call, count) => requestEach(state, call, count),
    findNodesWithBlocks: (blocks) => findNodesWithBlocks(state, blocks),
    readBlockHashes: async (blockNumber, client) => {
      const words = await Promise.all(
        nodes.map(async (node) => {
          const [hash, newestTime] = await Promise.all([
            readBlockHash(node, blockNumber, client),
            readTime(node, client),
          ])
          return { hash, newestTime }
        }),
      )
      return nodes.map(({ host }, at) => ({
        name: host,
        host: machineOf(urls[at] ?? ''),
        ...(words[at] ?? { hash: null, newestTime: null }),
      }))
    },
    survey: () => survey(state),
  }
}

/** A node that is a moment behind the one that named the block is asked once more. */
async function readBlockHash(node: Node, blockNumber: number, client: Client): Promise<Hex | null> {
  const { signal } = client
  try {
    for (const isLast of [false, true]) {
      if (node.pause() > MAX_WAIT_MS) return null
      if (node.pause() > 0) await sleep(node.pause(), undefined, { signal })
      const block = await readBlock((call) => node.ask(call, HASH_MS, client), blockNumber)
      if (block || isLast) return block?.number === blockNumber ? block.hash : null
      await sleep(LATE_MS, undefined, { signal })
    }
  } catch {}
  return null
}

/** The time of a node's newest block. Null if the node is paused, fails, or its clock is ahead: it is not waited for. */
async function readTime(node: Node, client: Client): Promise<number | null> {
  if (node.pause() > 0) return null
  const block = await readBlock((call) => node.ask(call, HASH_MS, client), 'latest').catch(() => null)
  return block && isOfNow(block) ? block.timestamp : null
}

function isOfNow({ timestamp }: Block): boolean {
  return timestamp <= Date.now() / 1000 + AHEAD_SECONDS
}

/**
 * Best first: well, in the order of the configuration; those behind or slow; those that failed and may be asked again; those on
 * another branch.
 */
function ordered(state: NodesState): Node[] {
  const isLate = (node: Node) => state.behind.has(node) || state.slow.has(node)
  const isStray = (node: Node) => (state.stray.get(node) ?? 0) > performance.now()
  const ready = state.nodes.filter((node) => node.pause() === 0)
  const well = ready.filter((node) => node.failure() === null && !isStray(node))
  const failed = ready.filter((node) => node.failure() !== null && !isStray(node))
  if (well.length > 0) for (const node of failed) void probe(state, node)
  return [...well.filter((node) => !isLate(node)), ...well.filter(isLate), ...failed, ...ready.filter(isStray)]
}

/** Asks a node that failed whether it is back, while others do the work. */
async function probe(state: NodesState, node: Node): Promise<void> {
  if (state.probed.has(node)) return
  state.probed.add(node)
  await node.probe(ASK_MS)
  state.probed.delete(node)
}

/** The best that was not asked yet; when none is left, the first that may be asked again soon. */
async function next(state: NodesState, asked: ReadonlySet<Node>, calls: readonly Call[]): Promise<Node | null> {
  const rest = ordered(state).filter((node) => !asked.has(node))
  const takes = (node: Node) => !calls.some((call) => node.limits.refuses(call, node.newest()))
  const best = rest.find(takes) ?? rest[0]
  if (best) return best
  const [soonest] = state.nodes.toSorted((one, other) => one.pause() - other.pause())
  if (!soonest || soonest.pause() > MAX_WAIT_MS) return null
  await new Promise((resolve) => setTimeout(resolve, soonest.pause()))
  return soonest
}

function request(state: NodesState, call: Call): Promise<unknown> {
  const isFailure = (error: unknown, node: Node) =>
    isNodeFailure(error) || parseRefusal(call, error, node.newest()) !== null
  const work = (node: Node) => node.request(call)
  return untilTaken(state, call, (node, asked) => besideSlow(state, node, { calls: [call], asked, work, isFailure }))
}

/** One node after the other, until one neither fails nor refuses. */
async function untilTaken<result>(
  state: NodesState,
  call: Call,
  work: (node: Node, asked: Set<Node>) => Promise<result>,
): Promise<result> {
  const asked = new Set<Node>()
  const refusals: { node: Node; error: unknown; kind: NodeLimitKind | null }[] = []
  let failure: unknown
  for (let attempt = 0; attempt <= state.nodes.length; attempt += 1) {
    const node = await next(state, asked, [call])
    call.signal?.throwIfAborted()
    // A node that refused would only refuse again.
    if (!node || refusals.some((one) => one.node === node)) break
    try {
      return await work(node, asked)
    } catch (error) {
      call.signal?.throwIfAborted()
      const refusal = parseRefusal(call, error, node.newest())
      if (refusal) refusals.push({ node, error, kind: refusal.kind })
      else if (isNodeFailure(error) || isLagging(error)) failure = error
      else throw error
      asked.add(node)
    }
  }
  // Fewer blocks can be asked for; a node that wants an address wants it for any number of them.
  const refusal = refusals.find(({ kind }) => kind !== 'log-address') ?? refusals[0]
  throw refusal?.error ?? failure ?? state.nodes[0]?.failure() ?? unreachable(state)
}

function higher(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

async function forward(state: NodesState, body: unknown, options: ForwardOptions): Promise<string> {
  const calls = callsOf(body)
  const isWaited = () => !options.client.signal?.aborted
  const work = async (node: Node) => ({ node, text: await node.forward(body, options) })
  const beside = (node: Node, asked: Set<Node>) =>
    besideSlow(state, node, { calls, asked, work, isFailure: () => true })
  const { node, text } = await once(state, beside, isWaited, calls)
  const others = ordered(state).filter((one) => one !== node)
  return askOthers({ body, text, options }, node, others)
}

async function requestLogs(
  state: NodesState,
  { filters, range, isBehind = false, signal }: { filters: readonly object[]; range: LogRange } & LogOptions,
): Promise<unknown[]> {
  const { fromBlock, toBlock, toHash } = range
  const blocks = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  /** In one batch with the logs that are asked for at the moment: whoever has the block has its logs. */
  const last = new Map<Node, Promise<Block | null>>()
  const readLast = (node: Node) => {
    const known = last.get(node)
    if (known) return known
    const read = readBlock((call) => node.request({ ...call, isBehind, signal }), toBlock)
    last.set(node, read)
    setImmediate(() => last.delete(node))
    return read
  }
  const answers = await Promise.all(
    filters.map((filter) => {
      const method = 'eth_getLogs'
      const whole = { ...filter, ...blocks }
      return untilTaken(state, { method, params: [whole], signal }, async (node) => {
        const most = () => ({
          addresses: node.limits.valueOf('log-addresses'),
          topics: node.limits.valueOf('log-topics'),
        })
        const asked = askInParts(whole, most, (part) => node.request({ method, params: [part], isBehind, signal }))
        const [parts, block] = await Promise.all([asked, readLast(node)])
        if (block === null) throw fail('RPC_ERROR', { reason: 'lags', host: node.host, method })
        if (block.hash !== toHash) throw changed(toBlock)
        return parts
      })
    }),
  )
  return answers.flat()
}

function isLagging(error: unknown): boolean {
  return error instanceof CountersignError && error.code === 'RPC_ERROR' && error.data.reason === 'lags'
}

/** Asks this node and, where it takes long, the next healthy one too: the first answer counts. */
async function besideSlow<result>(
  state: NodesState,
  node: Node,
  {
    calls,
    asked,
    work,
    isFailure,
  }: {
    calls: readonly Call[]
    asked: Set<Node>
    work: (node: Node) => Promise<result>
    isFailure: (error: unknown, node: Node) => boolean
  },
): Promise<result> {
  const answer = work(node)
  if (state.nodes.length === 1 || !calls.every(isQuick)) return answer
  const isSettled = answer.then(
    () => true,
    () => true,
  )
  const isSlow = !(await Promise.race([isSettled, sleep(SLOW_MS, false, { ref: false })]))
  const other = ordered(state).find(
    (candidate) => candidate !== node && candidate.failure() === null && !asked.has(candidate),
  )
  if (!isSlow || !other) return answer
  state.slow.add(node)
  void isSettled.then(() => state.slow.delete(node))
  asked.add(node).add(other)
  // That a contract reverts is an answer, too.
  const settled = (pending: Promise<result>, of: Node) =>
    pending.then(
      (found) => () => found,
      (error: unknown) => {
        if (isFailure(error, of)) throw error
        return () => {
          throw error
        }
      },
    )
  const first = await Promise.any([settled(answer, node), settled(work(other), other)]).catch(
    (failed: AggregateError) => {
      throw failed.errors[0]
    },
  )
  return first()
}

/** Each node once, until one does not fail. */
async function once<result>(
  state: NodesState,
  work: (node: Node, asked: Set<Node>) => Promise<result>,
  isFailure: (error: unknown, node: Node) => boolean,
  calls: readonly Call[],
): Promise<result> {
  const asked = new Set<Node>()
  let failure: unknown
  for (;;) {
    const node = await next(state, asked, calls)
    if (!node || asked.has(node)) throw failure ?? state.nodes[0]?.failure() ?? unreachable(state)
    try {
      return await work(node, asked)
    } catch (error) {
      if (!isFailure(error, node)) throw error
      failure = error
      asked.add(node)
    }
  }
}

async function requestEach(state: NodesState, call: Call, count: number): Promise<NodeAnswer[]> {
  const asked = new Set<Node>()
  let failure: unknown
  const refused: NodeAnswer[] = []
  const answerOfNext = async (): Promise<NodeAnswer | null> => {
    for (;;) {
      const rest = state.nodes.filter((node) => !asked.has(node)).sort((one, other) => one.pause() - other.pause())
      const ready = ordered(state).filter((one) => !asked.has(one))
      const node = ready.find((one) => !one.limits.refuses(call, one.newest())) ?? ready[0] ?? rest[0]
      if (!node || node.pause() > MAX_WAIT_MS) return refused.pop() ?? null
      asked.add(node)
      if (node.pause() > 0) await new Promise((resolve) => setTimeout(resolve, node.pause()))
      call.signal?.throwIfAborted()
      try {
        return { node, result: await node.request(call) }
      } catch (error) {
        call.signal?.throwIfAborted()
        if (parseRefusal(call, error, node.newest())) refused.push({ node, error })
        else if (!isNodeFailure(error)) return { node, error }
        else failure = error
      }
    }
  }
  const answers = await Promise.all(Array.from({ length: count }, answerOfNext))
  const found = answers.filter((answer) => answer !== null)
  if (found.length === count) return found
  throw fail(
    'CHAIN_UNREACHABLE',
    { reason: 'few', chainId: state.chainId, name: state.name, answered: found.length, needed: count },
    failure,
  )
}

async function findNodesWithBlocks(
  state: NodesState,
  blocks: ReadonlyMap<number, Hex>,
): Promise<{ having: string[]; lacking: string[] }> {
  const answers = await Promise.all(
    state.nodes.map(async (node) => {
      if (node.pause() > MAX_WAIT_MS) return null
      await new Promise((resolve) => setTimeout(resolve, node.pause()))
      const request = (call: Call) => node.request({ ...call, isBehind: true })
      const asked = [...blocks.keys()].map((number) => readBlock(request, number))
      const found = await Promise.all(asked).catch((): (Block | null)[] => [])
      if (found.some((block) => block && blocks.get(block.number) === block.hash)) return 'having'
      return found.some((block) => block !== null) ? 'lacking' : null
    }),
  )
  const those = (what: 'having' | 'lacking') => state.nodes.filter((_, at) => answers[at] === what)
  const [having, lacking] = [those('having'), those('lacking')]
  for (const node of having) state.stray.delete(node)
  if (having.length > 0) for (const node of lacking) state.stray.set(node, performance.now() + STRAY_MS)
  return { having: having.map(({ host }) => host), lacking: lacking.map(({ host }) => host) }
}

async function survey(state: NodesState): Promise<void> {
  if (state.nodes.length < 2 || performance.now() - state.surveyedAt < SURVEY_MS) return
  const isFirst = state.surveyedAt === Number.NEGATIVE_INFINITY
  state.surveyedAt = performance.now()
  const done = look(state)
  // Nobody waits for a node that hangs, but at the start, when nothing is known of any.
  if (isFirst) await done
}

async function look(state: NodesState): Promise<void> {
  const heads = await Promise.all(
    state.nodes.map(async (node) => {
      if (node.pause() > 0) return null
      await node.probe(ASK_MS)
      if (node.failure() !== null) return null
      const block = await readBlock((call) => node.ask(call, ASK_MS), 'latest').catch(() => null)
      return block && isOfNow(block) ? block : null
    }),
  )
  const newest = Math.max(...heads.map((head) => head?.timestamp ?? 0))
  for (const [at, node] of state.nodes.entries()) {
    const head = heads[at]
    if (head && head.timestamp < newest - BEHIND_SECONDS) state.behind.add(node)
    else state.behind.delete(node)
  }
}

function unreachable({ name, chainId }: Pick<ChainSettings, 'name' | 'chainId'>): CountersignError {
  return fail('CHAIN_UNREACHABLE', { reason: 'waiting', chainId, name })
}
