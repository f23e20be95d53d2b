import type { Chain as ChainFacts } from '@countersign/contract'
import { CountersignError, type RpcRequest, readSafeState, type SafeState } from '@countersign/safe-core'
import { type Address, fallback, http } from 'viem'
import type { ChainSettings } from '../env.ts'
import { isRevert } from './errors.ts'

const REQUEST_MILLISECONDS = 10_000
const ASK_MILLISECONDS = 5_000
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
/** A block that is full of logs about one Safe, which anybody can send, must still be readable. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024

/** One configured chain, and the way to its nodes. */
export type Chain = {
  settings: ChainSettings
  status: ChainFacts['status']
  /** Batched, with failover over the chain's RPC URLs. */
  request: RpcRequest
  /** The same alone and without a second try: a slow answer keeps nobody else waiting. */
  ask: RpcRequest
  /** Passes a JSON-RPC body on as it is, and the answer back. */
  forward: (body: unknown) => Promise<string>
  /** Asks the node for its chain id and keeps `status` true. Never throws. */
  check: () => Promise<ChainFacts['status']>
  /**
   * @throws CountersignError `CHAIN_UNREACHABLE`, `CHAIN_ID_MISMATCH`, `NOT_A_SAFE`.
   */
  readSafe: (address: Address) => Promise<SafeState>
}

export type Chains = ReadonlyMap<number, Chain>

export function createChains(settings: readonly ChainSettings[]): Chains {
  return new Map(settings.map((one) => [one.chainId, createChain(one)]))
}

/** @throws CountersignError `CHAIN_NOT_CONFIGURED` */
export function chainOf(chains: Chains, chainId: number): Chain {
  const chain = chains.get(chainId)
  if (chain) return chain
  throw new CountersignError('CHAIN_NOT_CONFIGURED', `The chain \`${chainId}\` is not configured here.`, {
    data: { chainId },
  })
}

function createChain(settings: ChainSettings): Chain {
  const transport = fallback(
    settings.rpcUrls.map((url) =>
      http(url, {
        batch: { batchSize: 100, wait: 0 },
        timeout: REQUEST_MILLISECONDS,
        retryCount: 1,
        maxResponseBodySize: MAX_BATCH_BYTES,
      }),
    ),
    { retryCount: 0 },
  )({})
  const request: RpcRequest = (args) => transport.request(args)
  const alone = fallback(
    settings.rpcUrls.map((url) => http(url, { timeout: ASK_MILLISECONDS, retryCount: 0 })),
    { retryCount: 0 },
  )({})

  const chain: Chain = {
    settings,
    status: 'unreachable',
    request,
    ask: (args) => alone.request(args),
    forward: (body) => forward(settings, body),
    async check() {
      try {
        const id = Number(await request({ method: 'eth_chainId' }))
        chain.status = id === settings.chainId ? 'ok' : 'wrong-chain'
      } catch {
        chain.status = 'unreachable'
      }
      return chain.status
    },
    async readSafe(address) {
      try {
        const state = await readSafeState(request, address, settings.chainId)
        chain.status = 'ok'
        return state
      } catch (error) {
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

/** Why a chain cannot be read at all. */
export function unavailable(settings: ChainSettings, status: 'unreachable' | 'wrong-chain'): CountersignError {
  if (status === 'unreachable') return unreachable(settings, undefined)
  const { chainId, name } = settings
  const text = `The node of \`${name}\` is not on chain \`${chainId}\`.`
  return new CountersignError('CHAIN_ID_MISMATCH', text, { data: { chainId } })
}

/** The cause stays for the log, which leaves URLs out: they may hold keys. */
export function unreachable(settings: Pick<ChainSettings, 'chainId' | 'name'>, cause: unknown): CountersignError {
  return new CountersignError(
    'CHAIN_UNREACHABLE',
    `The node of \`${settings.name}\` (chain \`${settings.chainId}\`) did not answer.`,
    {
      data: { chainId: settings.chainId },
      cause,
    },
  )
}

async function forward(settings: ChainSettings, body: unknown): Promise<string> {
  const failures: unknown[] = []
  for (const url of settings.rpcUrls) {
    try {
      const { username, password, ...rest } = splitCredentials(url)
      const response = await fetch(rest.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(username ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } : {}),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_MILLISECONDS),
      })
      const text = await readLimited(response)
      // Some nodes answer a JSON-RPC error with status 400; that is an answer.
      if (response.ok || (response.status === 400 && text.includes('"jsonrpc"'))) return text
      failures.push(new Error(`HTTP status ${response.status}`))
    } catch (error) {
      failures.push(error)
    }
  }
  throw unreachable(settings, failures.at(-1))
}

/** `fetch` refuses URLs with a user name. */
function splitCredentials(text: string): { url: string; username: string; password: string } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  return { url: url.href, username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES)
      throw new CountersignError('RPC_ERROR', 'The answer of the node is larger than 10 MiB.', { data: { bytes } })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
