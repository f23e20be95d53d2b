import { readBlockHashes } from '@countersign/contract'
import {
  createFactReader,
  type FactReader,
  type HashSource,
  readVouchedBlock,
  type VouchedBlock,
} from '@countersign/review'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { onLiveEvent } from '../../api/live/tabs.ts'
import { askWalletForBlockHash } from '../../wallet/signing.ts'
import type { HashSources } from './hash-sources.ts'

/** Facts that are asked within this time are read at one block. */
const PIN_MS = 8_000

type Pin = { at: number; pinned: Promise<FactReader> }

const pins = new Map<string, Pin>()
/** Chains whose readers are kept however long it takes, and by how many. */
const held = new Map<number, number>()

// Nothing that an event tells of is in a block that was read before it.
onLiveEvent((event) => {
  if ('chainId' in event && !held.has(event.chainId)) dropPins(event.chainId)
})

/**
 * Keeps the reader of a chain, the newest one, until it is let go: whatever is asked meanwhile is read at one block.
 *
 * @returns lets it go
 */
export function holdPins(chainId: number): () => void {
  if (!held.has(chainId)) dropPins(chainId)
  held.set(chainId, (held.get(chainId) ?? 0) + 1)
  return () => {
    const left = (held.get(chainId) ?? 1) - 1
    if (left > 0) held.set(chainId, left)
    else held.delete(chainId)
  }
}

/**
 * Gives the reader of the newest block of a chain, the same one for a few seconds: what a review asks is read at one block.
 *
 * @throws CountersignError whatever the way to the node throws; `PROOF_INVALID` where it names no block
 */
export function pinReader(chainId: number, sources: HashSources): Promise<FactReader> {
  const key = JSON.stringify([chainId, sources])
  const known = pins.get(key)
  if (known && (held.has(chainId) || performance.now() - known.at < PIN_MS)) return known.pinned
  const pin = { at: performance.now(), pinned: openReader(chainId, sources) }
  pins.set(key, pin)
  pin.pinned.catch(() => dropPin(chainId, sources, pin.pinned))
  return pin.pinned
}

/** Forgets the readers of a chain: what is asked next is read at its newest block, whatever replaced another. */
function dropPins(chainId: number): void {
  for (const key of [...pins.keys()]) if (key.startsWith(`[${chainId},`)) pins.delete(key)
}

/** Forgets a reader: its block is no longer of the chain, or the node no longer proves it. */
export function dropPin(chainId: number, sources: HashSources, pinned: Promise<FactReader>): void {
  const key = JSON.stringify([chainId, sources])
  if (pins.get(key)?.pinned === pinned) pins.delete(key)
}

async function openReader(chainId: number, sources: HashSources): Promise<FactReader> {
  return createFactReader(
    chainRequest,
    await readNewestBlock(chainId, sources),
    // The EVM comes with the first call.
    async (reader, call) => (await import('../simulation/run-call.ts')).runCallInPage(reader, call),
  )
}

/**
 * Reads the newest block of a chain, and asks every source for its hash.
 *
 * @throws CountersignError as `pinReader`
 */
export function readNewestBlock(chainId: number, { needed, wallet }: HashSources): Promise<VouchedBlock> {
  const askSources = (blockNumber: bigint) => askForHash(chainId, blockNumber, wallet)
  return readVouchedBlock({ chainId, request: chainRequest(chainId), askSources, needed })
}

/** Asks for the hash of a block: the operator's nodes one by one, through the server; the wallet without it. */
export async function askForHash(chainId: number, blockNumber: bigint, wallet: string | null): Promise<HashSource[]> {
  const ofNodes = api(readBlockHashes, { chainId, blockNumber: Number(blockNumber) }).then(
    ({ nodes }) => nodes.map((node): HashSource => ({ kind: 'node', ...node })),
    (): HashSource[] => [],
  )
  const ofWallet =
    wallet === null
      ? []
      : [
          askWalletForBlockHash(chainId, blockNumber).then(
            (word) => ({ kind: 'wallet', name: wallet, host: null, ...word }) as const,
          ),
        ]
  const [nodes, ...wallets] = await Promise.all([ofNodes, ...ofWallet])
  return [...nodes, ...wallets]
}
