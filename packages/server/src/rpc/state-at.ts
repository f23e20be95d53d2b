import type { RpcRequest } from '@countersign/safe'
import { type Hex, numberToHex } from 'viem'
import { isRefusal, isRevert } from './errors.ts'
import { changed, readBlock } from './logs.ts'

/** A block whose state is asked for; with the hash that is followed, as long as another block may take its place. */
type Place = { blockNumber: number; blockHash: Hex | null }

/** Asks for state at a block; `ask` is given what names the block in a request. */
export type AskAt = (place: Place, ask: (block: Hex | object) => Promise<unknown>) => Promise<unknown>

/**
 * One of several nodes may be on a branch that is not followed: it is asked by the block's hash (EIP-1898) and, where it
 * does not take that, by number, and for the hash of its block afterwards.
 */
export function createAskAt(request: RpcRequest): AskAt {
  let takesHashes = true
  return async ({ blockNumber, blockHash }, ask) => {
    const number = numberToHex(blockNumber)
    if (blockHash === null) return ask(number)
    if (takesHashes)
      try {
        return await ask({ blockHash, requireCanonical: true })
      } catch (error) {
        if (!isRefusal(error) || isRevert(error)) throw error
      }
    const answer = await ask(number)
    const block = await readBlock(request, blockNumber)
    if (block?.hash !== blockHash) throw changed(blockNumber)
    // It has the block and its state: the hash itself is what it does not take.
    takesHashes = false
    return answer
  }
}
