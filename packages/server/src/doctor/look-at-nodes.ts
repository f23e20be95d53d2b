import { HttpRequestError, numberToHex, padHex, TimeoutError, zeroAddress } from 'viem'
import type { ChainSettings } from '../config/chains.ts'
import type { Call } from '../rpc/call.ts'
import { createChains } from '../rpc/clients.ts'
import { isDenied, isRefusal } from '../rpc/errors.ts'
import { ADDRESSES_PER_REQUEST, type Block, readBlock } from '../rpc/logs.ts'
import { namedBlocks, parseRefusal } from '../rpc/refusals.ts'
import { counted, durationOf, type Finding, fault, good, notice } from './finding.ts'
import type { Unread } from './look-at-database.ts'

/** Blocks of the largest query for logs that is tried. */
const WIDEST = 50_000
/** Questions for each range of a history: its last block, the Safe's events, and transfers in three filters. */
const REQUESTS_PER_RANGE = 5
const YEAR_SECONDS = 31_536_000
const SLOW_MS = 1_500
const LATE_SECONDS = 600

type Node = { name: string; ask: (call: Call) => Promise<unknown> }

/** Looks at each node of a chain by itself: whether it answers, what it takes, and what a history costs with it. */
export async function lookAtChain(
  settings: ChainSettings,
  unread: readonly Unread[],
  now: Date,
): Promise<{ findings: Finding[]; blockTimes: number[] }> {
  const findings: Finding[] = []
  const blockTimes: number[] = []
  for (const rpcUrl of new Set(settings.rpcUrls)) {
    const about = `${settings.name} (${settings.chainId}), ${new URL(rpcUrl).host}`
    const chain = createChains([{ ...settings, rpcUrls: [rpcUrl], agreement: 1 }]).get(settings.chainId)
    if (!chain) continue
    const status = await chain.check()
    if (status === 'wrong-chain') {
      findings.push(fault(about, 'is a node of another chain', 'Correct `chainId` or `rpcUrls` of this chain.'))
      continue
    }
    const started = performance.now()
    const head = status === 'ok' ? await readBlock(chain.request, 'latest').catch(() => null) : null
    const latency = performance.now() - started
    if (!head) {
      findings.push(
        explainSilence(about, await chain.request({ method: 'eth_chainId' }).catch((error: unknown) => error)),
      )
      continue
    }
    blockTimes.push(head.timestamp)
    const node = { name: about, ask: chain.ask }
    findings.push(lookAtHead(about, head, latency, now))
    findings.push(...(await lookAtOffers(node, head)))
    findings.push(...(await lookAtNames(node, head)))
    findings.push(await lookAtCost(node, head, settings, unread))
  }
  return { findings, blockTimes }
}

const ANOTHER = 'or name another one in `rpcUrls`.'

/** Explains why a node does not answer, as far as the failure shows it. */
function explainSilence(about: string, failure: unknown): Finding {
  if (failure instanceof TimeoutError)
    return fault(about, 'does not answer in time', `Look why the node hangs, ${ANOTHER}`)
  if (failure instanceof HttpRequestError) {
    const { cause, status } = failure
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
      return explainConnectionError(about, cause.code)
    if (status !== undefined) return explainStatus(about, status)
  }
  return fault(about, 'answers with something else than JSON-RPC', 'Correct its URL in `rpcUrls`.')
}

function explainConnectionError(about: string, code: string): Finding {
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return fault(about, 'is a name that nobody knows', 'Correct the host in `rpcUrls`, or the DNS of this machine.')
  if (/CERT|TLS|SSL/.test(code))
    return fault(about, `has no valid certificate (${code})`, `Have its certificate renewed, ${ANOTHER}`)
  return fault(about, `does not answer (${code})`, `Start the node, ${ANOTHER}`)
}

function explainStatus(about: string, status: number): Finding {
  if (status === 429)
    return fault(about, 'was asked too often', `Wait, set \`requestsPerSecond\`, have its plan raised, ${ANOTHER}`)
  if (status === 401 || status === 402 || status === 403)
    return fault(about, `lets nobody in with this key (HTTP ${status})`, 'Correct the key in `rpcUrls`.')
  if (status < 500)
    return fault(
      about,
      `answers with HTTP ${status}`,
      'Correct the path of its URL in `rpcUrls`; redirects are not followed.',
    )
  return fault(about, `answers with HTTP ${status}`, `Look why the node fails, ${ANOTHER}`)
}

function lookAtHead(about: string, head: Block, latency: number, now: Date): Finding {
  const says = `answers in ${Math.round(latency)} ms, block ${head.number}`
  const age = Math.round(now.getTime() / 1000 - head.timestamp)
  if (age > LATE_SECONDS)
    return notice(about, `${says}, which is ${age} seconds old`, 'Wait until the node has caught up, or name another.')
  return latency > SLOW_MS ? notice(about, says, 'Name a node that is nearer first in `rpcUrls`.') : good(about, says)
}

/** Asks a node one question of each kind that it may not offer. */
async function lookAtOffers(node: Node, head: Block): Promise<Finding[]> {
  const at = numberToHex(head.number)
  const offers: [string, Call, string][] = [
    [
      'logs without an address',
      { method: 'eth_getLogs', params: [{ fromBlock: at, toBlock: at, topics: [`0x${'ab'.repeat(32)}`] }] },
      'Only transfers of known tokens and Safes of official factories are found. Add a node that answers queries for logs without an address.',
    ],
    [
      'old state',
      { method: 'eth_getBalance', params: [zeroAddress, numberToHex(Math.max(0, head.number - 100_000))] },
      'Changes of a balance without a log may stay unexplained. Add an archive node.',
    ],
    [
      'proofs',
      { method: 'eth_getProof', params: [zeroAddress, [], at] },
      'Reviews cannot prove what they read. Add a node with eth_getProof.',
    ],
    [
      'traces',
      { method: 'debug_traceBlockByNumber', params: [at, { tracer: 'callTracer' }] },
      'Coin that contracts move inside a transaction may stay unexplained. Add a node with debug_traceBlockByNumber.',
    ],
  ]
  const found = await Promise.all(
    offers.map(async ([what, call, remedy]): Promise<Finding> => {
      try {
        await node.ask(call)
        return good(node.name, `offers ${what}`)
      } catch (error) {
        if (isRefusal(error) || isDenied(error)) return notice(node.name, `offers no ${what}`, remedy)
        return notice(node.name, `did not say whether it offers ${what}`, 'Look again when the node has rested.')
      }
    }),
  )
  return found
}

/** Finds how many contracts a query for logs may name. What a node says of something else is found by other questions. */
async function lookAtNames({ name, ask }: Node, head: Block): Promise<Finding[]> {
  const at = numberToHex(head.number)
  let most = ADDRESSES_PER_REQUEST
  for (;;) {
    const address = Array.from({ length: most }, (_, index) => padHex(numberToHex(index + 1), { size: 20 }))
    const call = { method: 'eth_getLogs', params: [{ address, fromBlock: at, toBlock: at }] }
    try {
      await ask(call)
      break
    } catch (error) {
      const refusal = parseRefusal(call, error, head.number)
      if (refusal?.kind !== 'log-addresses' || refusal.value === null) return []
      most = refusal.value
    }
  }
  const says = `takes logs of ${counted(most, 'contract')} in a query`
  if (most === ADDRESSES_PER_REQUEST) return [good(name, says)]
  return [
    notice(
      name,
      says,
      'Many Safes and tokens take more queries; nothing is missing. To read faster, add a node that takes more.',
    ),
  ]
}

/** Finds the widest query for logs that a node takes, by halves, and tells what a history costs with it. */
async function lookAtCost(
  node: Node,
  head: Block,
  { chainId, blockSeconds = 0 }: Pick<ChainSettings, 'chainId' | 'blockSeconds'>,
  unread: readonly Unread[],
): Promise<Finding> {
  let blocks = Math.min(WIDEST, head.number + 1)
  let milliseconds: number | null = null
  while (milliseconds === null) {
    const call = {
      method: 'eth_getLogs',
      params: [
        { address: zeroAddress, fromBlock: numberToHex(head.number - blocks + 1), toBlock: numberToHex(head.number) },
      ],
    }
    const started = performance.now()
    try {
      await node.ask(call)
      milliseconds = performance.now() - started
    } catch (error) {
      if (!isRefusal(error) || blocks === 1)
        return fault(node.name, 'answers no query for logs', 'Add a node that does: without logs there is no history.')
      blocks = Math.max(1, namedBlocks(call, error) ?? Math.floor(blocks / 2))
    }
  }
  const before = await readBlock(node.ask, Math.max(0, head.number - 1_000)).catch(() => null)
  const perBlock =
    before && before.number < head.number
      ? (head.timestamp - before.timestamp) / (head.number - before.number)
      : blockSeconds
  const ofYear = perBlock > 0 ? Math.min(head.number + 1, Math.ceil(YEAR_SECONDS / perBlock)) : head.number + 1
  const waiting = unread.find((span) => span.chainId === chainId)
  const cost = (count: number) => {
    const ranges = Math.ceil(count / blocks)
    return `${counted(ranges * REQUESTS_PER_RANGE, 'request')}, about ${durationOf((ranges * (milliseconds ?? 0)) / 1000)}`
  }
  const rest = waiting ? `; what is unread of ${counted(waiting.safes, 'Safe')}: ${cost(waiting.blocks)}` : ''
  const says = `takes logs of ${counted(blocks, 'block')}; a year of one Safe: ${cost(ofYear)}${rest}`
  return blocks < 1_000 && head.number > 100_000
    ? notice(node.name, says, 'Add a node that takes 10,000 blocks in one query for logs: histories come faster.')
    : good(node.name, says)
}
