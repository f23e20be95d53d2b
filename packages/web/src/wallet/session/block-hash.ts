import { type Hex, isHex, numberToHex } from 'viem'
import { serverNow } from '../../device/server-time.ts'
import { readConnection, useConnection } from '../connectors/connection.ts'
import type { Provider } from '../connectors/connector.ts'
import { parseChainId } from '../connectors/provider-values.ts'

const ASK_MS = 2_500
/** A wallet that hung is left alone for as long. */
const HUNG_MS = 60_000
/** Its node may have the block a moment later. */
const LATE_MS = 700

/** Clocks differ; a block from further in the future makes no other source late. */
const AHEAD_SECONDS = 60

/** Until when a wallet is not asked. */
const hung = new Map<string, number>()

/** Gives the name of the connected wallet where it reads this chain from a node of its own; null otherwise. */
export function useNamingWallet(chainId: number): string | null {
  return nameOf(useConnection(), chainId)
}

/** Gives the name of the connected wallet where it has a node of its own and is on another chain: nobody asks it then. */
export function useWalletElsewhere(chainId: number): string | null {
  const connection = useConnection()
  const isElsewhere = connection.connector?.hasOwnNode === true && connection.chainId !== chainId
  return isElsewhere ? (connection.connector?.name ?? null) : null
}

/** Reads it right now, outside components. */
export function readNamingWallet(chainId: number): string | null {
  return nameOf(readConnection(), chainId)
}

function nameOf(connection: ReturnType<typeof readConnection>, chainId: number): string | null {
  return connection.connector?.hasOwnNode === true && connection.chainId === chainId ? connection.connector.name : null
}

/** The word of a wallet on a block. `newestTime` is that of its newest block, in seconds since 1970. */
export type WalletWord = { hash: Hex | null; newestTime: number | null }

const nothing: WalletWord = { hash: null, newestTime: null }

/**
 * Asks the connected wallet for the hash of a block, and how new its newest is. Null where it is on another chain, does not answer in time, or answers
 * something else: it then says nothing.
 */
export async function askWalletForBlockHash(chainId: number, blockNumber: bigint): Promise<WalletWord> {
  const { connector } = readConnection()
  const provider = connector?.hasOwnNode === true ? connector.getProvider() : undefined
  if (!connector || !provider || (hung.get(connector.id) ?? 0) > performance.now()) return nothing
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ASK_MS)
  })
  const answer = await Promise.race([readWord(provider, chainId, blockNumber).catch(() => nothing), late])
  clearTimeout(timer)
  if (answer !== 'late') return answer
  hung.set(connector.id, performance.now() + HUNG_MS)
  return nothing
}

async function readWord(
  provider: Pick<Provider, 'request'>,
  chainId: number,
  blockNumber: bigint,
): Promise<WalletWord> {
  const isThere = async () => parseChainId(await provider.request({ method: 'eth_chainId' })) === chainId
  const ask = (place: string) => provider.request({ method: 'eth_getBlockByNumber', params: [place, false] })
  const number = numberToHex(blockNumber)
  if (!(await isThere())) return nothing
  let [block, newest] = await Promise.all([ask(number), ask('latest').catch(() => null)])
  if (block === null) {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    ;[block, newest] = await Promise.all([ask(number), ask('latest').catch(() => null)])
  }
  // It may have been switched in between.
  if (!(await isThere())) return nothing
  const { hash, number: named } = fieldsOf(block)
  const isRight = isHex(hash) && hash.length === 66 && isQuantity(named) && BigInt(named) === blockNumber
  const { timestamp } = fieldsOf(newest)
  const time = isQuantity(timestamp) ? Number(timestamp) : null
  const isOfNow = time !== null && time <= serverNow() / 1_000 + AHEAD_SECONDS
  return { hash: isRight ? hash : null, newestTime: isOfNow ? time : null }
}

function fieldsOf(block: unknown): Record<string, unknown> {
  return typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
}

function isQuantity(value: unknown): value is Hex {
  return isHex(value) && value.length >= 3 && value.length <= 66
}
