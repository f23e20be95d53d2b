import { type Address, isHex, size } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { BytecodeFunction } from './bytecode-functions.ts'

/** The bytes of code that a chain allows, with room for chains that allow more than EIP-170. */
const MAX_CODE_BYTES = 131_072
const PATIENCE_MS = 5_000

/**
 * Guesses from its code which functions a contract has. Nothing is looked up anywhere but the code itself, by the node of
 * the chain. Code can be written to give wrong answers: a guess never makes a call read.
 *
 * @returns null where there is no code, too much of it, or it cannot be taken apart in time
 */
export async function readBytecodeFunctions({
  chainId,
  address,
}: {
  chainId: number
  address: Address
}): Promise<BytecodeFunction[] | null> {
  const code = await chainRequest(chainId)({ method: 'eth_getCode', params: [address, 'latest'] })
  if (!isHex(code) || size(code) === 0 || size(code) > MAX_CODE_BYTES) return null
  return takeApart(code)
}

function takeApart(code: string): Promise<BytecodeFunction[] | null> {
  const worker = new Worker(new URL('./bytecode-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<BytecodeFunction[] | null>((resolve) => {
    const patience = setTimeout(() => resolve(null), PATIENCE_MS)
    worker.onmessage = ({ data }: MessageEvent<BytecodeFunction[]>) => {
      clearTimeout(patience)
      resolve(data)
    }
    worker.onerror = () => {
      clearTimeout(patience)
      resolve(null)
    }
    worker.postMessage(code)
  }).finally(() => worker.terminate())
}
