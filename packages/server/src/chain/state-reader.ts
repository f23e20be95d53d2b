import { CountersignError, type RpcRequest, readSafeState, type SafeState } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { readBlock } from './logs.ts'

/** Safes that are kept of one block. */
const MOST_KEPT = 2_000

/**
 * Reads Safes at the newest block. Which one that is the node is asked every time; as long as it names the same, by its
 * hash, what was read at it is what would be read again.
 */
export function createStateReader(request: RpcRequest, chainId: number): (address: Address) => Promise<SafeState> {
  let newest: Hex | null = null
  const states = new Map<Address, Promise<SafeState>>()

  return async (address) => {
    const head = await readBlock(request, 'latest')
    if (!head) throw new CountersignError('RPC_ERROR', 'The node has no newest block.')
    if (head.hash !== newest) {
      newest = head.hash
      states.clear()
    }
    const known = states.get(address)
    if (known) return known
    const reading = readSafeState(request, address, chainId, BigInt(head.number))
    if (states.size < MOST_KEPT) states.set(address, reading)
    try {
      return await reading
    } catch (error) {
      if (states.get(address) === reading) states.delete(address)
      throw error
    }
  }
}
