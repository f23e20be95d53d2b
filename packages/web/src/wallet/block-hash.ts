import { type Hex, isHex, numberToHex } from 'viem'
import { readConnection, useConnection } from './providers/connection.ts'
import type { Provider } from './providers/connector.ts'
import { parseChainId } from './providers/provider-values.ts'

const ASK_MS = 2_500
/** A wallet that hung is left alone for as long. */
const HUNG_MS = 60_000
/** Its node may have the block a moment later. */
const LATE_MS = 700

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

/**
 * Asks the connected wallet for the hash of a block. Null where it is on another chain, does not answer in time, or answers
 * something else: it then says nothing.
 */
export async function askWalletForBlockHash(chainId: number, blockNumber: bigint): Promise<Hex | null> {
  const { connector } = readConnection()
  const provider = connector?.hasOwnNode === true ? connector.getProvider() : undefined
  if (!connector || !provider || (hung.get(connector.id) ?? 0) > performance.now()) return null
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ASK_MS)
  })
  const answer = await Promise.race([readHash(provider, chainId, blockNumber).catch(() => null), late])
  clearTimeout(timer)
  if (answer !== 'late') return answer
  hung.set(connector.id, performance.now() + HUNG_MS)
  return null
}

async function readHash(
  provider: Pick<Provider, 'request'>,
  chainId: number,
  blockNumber: bigint,
): Promise<Hex | null> {
  const isThere = async () => parseChainId(await provider.request({ method: 'eth_chainId' })) === chainId
  const number = numberToHex(blockNumber)
  const ask = () => provider.request({ method: 'eth_getBlockByNumber', params: [number, false] })
  if (!(await isThere())) return null
  let block = await ask()
  if (block === null) {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    block = await ask()
  }
  // It may have been switched in between.
  if (!(await isThere())) return null
  const { hash, number: named } = typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
  const isRight =
    isHex(hash) && hash.length === 66 && isHex(named) && named.length <= 66 && BigInt(named) === blockNumber
  return isRight ? hash : null
}
