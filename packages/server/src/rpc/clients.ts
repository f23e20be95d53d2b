import { type Chain as ChainFacts, fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { type Address, ResponseBodyTooLargeError } from 'viem'
import type { ChainSettings } from '../config/chains.ts'
import { createAgreement, logsByAgreement } from './agreement.ts'
import { type Call, withGasLimit } from './call.ts'
import { isRevert } from './errors.ts'
import { createNodes, type Nodes } from './nodes.ts'
import type { Client } from './places.ts'
import { createStateReader, type FindCreation, type ReadOptions, type SafeReading } from './state-reader.ts'

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const nobody: Client = { key: '' }
/** Late answers, with no timely one in between, that mark a chain unreachable. A single one may be caused by its request. */
const MAX_LATE = 3

/** One configured chain, and the way to its nodes. */
export type Chain = {
  settings: ChainSettings
  status: ChainFacts['status']
  /** Batched, of the first node that is well; where several have to agree, of so many of them. */
  request: (call: Call) => Promise<unknown>
  /** Asks one node, without a second try: a slow answer keeps nobody else waiting. */
  ask: (call: Call, client?: Client) => Promise<unknown>
  /** The account or network that made this request. Null if this process asks for itself. */
  client: Client | null
  /** Logs of a range by several filters, each of nodes that have the last block of the range, with this hash. */
  requestLogs: Nodes['requestLogs']
  /** Limits of each node, as they are known now. */
  limits: Nodes['limits']
  recallLimits: Nodes['recallLimits']
  /** Which of the nodes have any of some blocks, and which have others in their places. */
  findNodesWithBlocks: Nodes['findNodesWithBlocks']
  /** Asks each node for the hash of a block. */
  readBlockHashes: (blockNumber: number, client?: Client) => ReturnType<Nodes['readBlockHashes']>
  /** Passes a JSON-RPC body on unchanged, in one of the places for clients, and returns the answer. */
  forward: (body: unknown, options?: { restMilliseconds?: number; client?: Client }) => Promise<string>
  /** Number of the newest block that a node reported. Null before the first report. */
  newest: Nodes['newest']
  /** Asks the node for its chain id and keeps `status` true. Never throws. */
  check: () => Promise<ChainFacts['status']>
  /**
   * A Safe as it stands at the newest block of this moment.
   *
   * @throws CountersignError `CHAIN_UNREACHABLE`, `CHAIN_ID_MISMATCH`, `NOT_A_SAFE`; `CREATION_REFUSED` with `creation`.
   */
  readSafe: (address: Address, options?: ReadOptions & Pick<Call, 'isBehind'>) => Promise<SafeReading>
}

export type Chains = ReadonlyMap<number, Chain>

export function createChains(settings: readonly ChainSettings[], findCreation?: FindCreation): Chains {
  return new Map(settings.map((setting) => [setting.chainId, createChain(setting, findCreation)]))
}

/** @throws CountersignError `CHAIN_NOT_CONFIGURED` */
export function chainOf(chains: Chains, chainId: number): Chain {
  const chain = chains.get(chainId)
  if (chain) return chain
  throw fail('CHAIN_NOT_CONFIGURED', { chainId })
}

function createChain(settings: ChainSettings, findCreation?: FindCreation): Chain {
  const { agreement = 1 } = settings
  const nodes = createNodes(settings)
  const asked = agreement > 1 ? createAgreement(nodes, agreement) : nodes.request
  /** Late answers since a node last answered. A client that keeps its own requests waiting is late while others get answers. */
  let late = 0
  async function heard<answer>(work: Promise<answer>): Promise<answer> {
    const answer = await work
    late = 0
    return answer
  }
  const request = (call: Call) => heard(asked(withGasLimit(call)))

  const readers = {
    front: createStateReader(request, settings.chainId, findCreation),
    behind: createStateReader((call) => request({ ...call, isBehind: true }), settings.chainId, findCreation),
  }

  const chain: Chain = {
    settings,
    status: 'unreachable',
    request,
    requestLogs: agreement > 1 ? logsByAgreement(request, nodes) : nodes.requestLogs,
    limits: nodes.limits,
    recallLimits: nodes.recallLimits,
    ask: (call, client) => heard(nodes.ask(withGasLimit(call), client)),
    client: null,
    newest: nodes.newest,
    findNodesWithBlocks: nodes.findNodesWithBlocks,
    readBlockHashes: (blockNumber, client = nobody) => nodes.readBlockHashes(blockNumber, client),
    async forward(body, { restMilliseconds = 0, client = nobody } = {}) {
      try {
        return await heard(nodes.forward(body, { largestAnswer: MAX_ANSWER_BYTES, client, restMilliseconds }))
      } catch (error) {
        if (client.signal?.aborted) throw client.signal.reason
        if (error instanceof ResponseBodyTooLargeError) throw fail('RPC_ERROR', { reason: 'large' })
        throw unreachable(settings, error)
      }
    },
    async check() {
      await nodes.survey()
      try {
        await heard(nodes.request({ method: 'eth_chainId' }))
        chain.status = 'ok'
      } catch (error) {
        const isWrong = error instanceof CountersignError && error.code === 'CHAIN_ID_MISMATCH'
        chain.status = isWrong ? 'wrong-chain' : 'unreachable'
      }
      return chain.status
    },
    async readSafe(address, { isBehind = false, ...options } = {}) {
      try {
        const state = await readers[isBehind ? 'behind' : 'front'](address, options)
        chain.status = 'ok'
        return state
      } catch (error) {
        if (isLate(options.signal)) {
          late += 1
          if (late >= MAX_LATE) chain.status = 'unreachable'
        }
        options.signal?.throwIfAborted()
        if (error instanceof CountersignError) {
          if (error.code === 'CHAIN_ID_MISMATCH') chain.status = 'wrong-chain'
          if (error.code !== 'RPC_ERROR') throw error
        }
        if (!isRevert(error)) chain.status = 'unreachable'
        throw unreachable(settings, error)
      }
    },
  }
  return chain
}

/** Whether a request timed out. A client that has left aborts the signal with a different reason. */
function isLate(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof CountersignError && signal.reason.code === 'CHAIN_UNREACHABLE'
}

/** Why a chain cannot be read at all. */
export function unavailable(settings: ChainSettings, status: 'unreachable' | 'wrong-chain'): CountersignError {
  if (status === 'unreachable') return unreachable(settings, undefined)
  const { chainId, name } = settings
  return fail('CHAIN_ID_MISMATCH', { reason: 'configured', chainId, name })
}

/** The cause stays for the log, which leaves URLs out: they may hold keys. */
export function unreachable(settings: Pick<ChainSettings, 'chainId' | 'name'>, cause: unknown): CountersignError {
  return fail('CHAIN_UNREACHABLE', { reason: 'silent', chainId: settings.chainId, name: settings.name }, cause)
}
