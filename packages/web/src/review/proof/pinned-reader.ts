import { readBlockHashes } from '@countersign/contract'
import { createFactReader, type FactReader, type HashSource, readVouchedBlock } from '@countersign/safe-core'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { askWalletForBlockHash } from '../../wallet/index.ts'
import type { HashSources } from './hash-sources.ts'

/** Facts that are asked within this time are read at one block. */
const PIN_MS = 8_000

type Pin = { at: number; pinned: Promise<FactReader> }

const pins = new Map<string, Pin>()

/**
 * Gives the reader of the newest block of a chain, the same one for a few seconds: what a review asks is read at one block.
 *
 * @throws CountersignError whatever the way to the node throws; `PROOF_INVALID` where it names no block
 */
export function pinReader(chainId: number, sources: HashSources): Promise<FactReader> {
  const key = JSON.stringify([chainId, sources])
  const known = pins.get(key)
  if (known && performance.now() - known.at < PIN_MS) return known.pinned
  const pin = { at: performance.now(), pinned: openReader(chainId, sources) }
  pins.set(key, pin)
  pin.pinned.catch(() => dropPin(chainId, sources, pin.pinned))
  return pin.pinned
}

/** Forgets a reader: its block is no longer of the chain, or the node no longer proves it. */
export function dropPin(chainId: number, sources: HashSources, pinned: Promise<FactReader>): void {
  const key = JSON.stringify([chainId, sources])
  if (pins.get(key)?.pinned === pinned) pins.delete(key)
}

async function openReader(chainId: number, { needed, wallet }: HashSources): Promise<FactReader> {
  const request = chainRequest(chainId)
  const askSources = (blockNumber: bigint) => askAll(chainId, blockNumber, wallet)
  return createFactReader(chainRequest, await readVouchedBlock({ chainId, request, askSources, needed }))
}

/** The operator's nodes one by one, through the server; the wallet without it. */
async function askAll(chainId: number, blockNumber: bigint, wallet: string | null): Promise<HashSource[]> {
  const ofNodes = api(readBlockHashes, { chainId, blockNumber: Number(blockNumber) }).then(
    ({ nodes }) => nodes.map((node): HashSource => ({ kind: 'node', ...node })),
    (): HashSource[] => [],
  )
  const ofWallet =
    wallet === null
      ? []
      : [
          askWalletForBlockHash(chainId, blockNumber).then(
            (hash) => ({ kind: 'wallet', name: wallet, host: null, hash }) as const,
          ),
        ]
  const [nodes, ...wallets] = await Promise.all([ofNodes, ...ofWallet])
  return [...nodes, ...wallets]
}
