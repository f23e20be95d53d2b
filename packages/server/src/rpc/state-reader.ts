import { fail } from '@countersign/contract'
import { type RpcRequest, readSafeState, type SafeState } from '@countersign/safe-core'
import { type Address, type Hex, numberToHex } from 'viem'
import { type Block, readBlock } from './logs.ts'
import { createAskAt } from './state-at.ts'

/** Safes that are kept of one block. */
const MAX_KEPT = 2_000

/** A Safe as it stood at a block that may still be lost. */
export type SafeReading = SafeState & { blockHash: Hex }

/**
 * Reads Safes at the newest block. Which one that is the node is asked every time; as long as it names the same, by its
 * hash, what was read at it is what would be read again.
 */
export function createStateReader(
  request: RpcRequest,
  chainId: number,
): (address: Address, notBefore?: number) => Promise<SafeReading> {
  const askAt = createAskAt(request)
  let newest: Hex | null = null
  const states = new Map<Address, Promise<SafeReading>>()

  async function readAt({ number, hash: blockHash }: Block, address: Address): Promise<SafeReading> {
    const named = numberToHex(number)
    // Asks about that very block: there may be another at its height, at this node or at the next.
    const requestAt: RpcRequest = ({ method, params = [] }) =>
      params.at(-1) === named
        ? askAt({ blockNumber: number, blockHash }, (block) =>
            request({ method, params: [...params.slice(0, -1), block] }),
          )
        : request({ method, params })
    return { ...(await readSafeState(requestAt, address, chainId, BigInt(number))), blockHash }
  }

  return async (address, notBefore = 0) => {
    const head = await readBlock(request, 'latest')
    if (!head || head.number < notBefore) throw fail('RPC_ERROR', { reason: 'no-head' })
    if (head.hash !== newest) {
      newest = head.hash
      states.clear()
    }
    const known = states.get(address)
    if (known) return known
    const reading = readAt(head, address)
    if (states.size < MAX_KEPT) states.set(address, reading)
    try {
      return await reading
    } catch (error) {
      if (states.get(address) === reading) states.delete(address)
      throw error
    }
  }
}
