import { type Address, getAddress } from 'viem'
import { deploymentAt } from '../deployments/deployments.ts'
import { asSafe, createReader, describeSafe, type RpcRequest, readAnswers, type SafeState } from './safe-state.ts'

/**
 * Guesses how a Safe is, in one round trip: it answers at whatever block is the newest just then, and its singleton is taken for
 * the release of that address. Good for asking early for what has to be proved, and for nothing else.
 *
 * @returns null where nothing answers like a Safe
 * @throws whatever `request` throws
 *
 * @example
 * const guess = await guessSafeState(request, safeAddress, 1)
 */
export async function guessSafeState(
  request: RpcRequest,
  safeAddress: Address,
  chainId: number,
): Promise<SafeState | null> {
  const address = getAddress(safeAddress)
  const answers = await readAnswers(request, createReader(request, address, 'latest'), { address, block: 'latest' })
  const safe = asSafe(answers)
  const codeHash = safe && deploymentAt(safe.singleton)?.codeHash
  return safe && codeHash ? { chainId, address, blockNumber: 0n, ...describeSafe(safe, codeHash) } : null
}
