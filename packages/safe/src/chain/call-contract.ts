import { type Address, type Hex, isHex } from 'viem'
import { CountersignError } from '../error.ts'
import type { RpcRequest } from '../safe/safe-state.ts'

/**
 * An `eth_call` of the newest state, or that of a block, where a refusal is an answer too.
 *
 * @returns null when the call reverted; undefined when the node did not say
 * @example
 * await callContract(request, { to: safeAddress, data: encodeFunctionData({ abi: safeAbi, functionName: 'nonce' }) })
 */
export async function callContract(
  request: RpcRequest,
  call: { from?: Address; to: Address; data: Hex },
  block: Hex | 'latest' = 'latest',
): Promise<Hex | null | undefined> {
  try {
    const answer = await request({ method: 'eth_call', params: [call, block] })
    return isHex(answer) ? answer : undefined
  } catch (error) {
    return isRevert(error) ? null : undefined
  }
}

/**
 * Whether a node says that a call reverted: by the code 3, by the data of the revert, or in words alone.
 *
 * @example
 * if (!isRevert(error)) throw error
 */
export function isRevert(error: unknown): boolean {
  if (!(error instanceof CountersignError) || error.code !== 'RPC_ERROR') return false
  const { rpcCode, rpcMessage, rpcData } = error.data
  return rpcCode === 3 || hasRevertData(rpcData) || (typeof rpcMessage === 'string' && /revert/i.test(rpcMessage))
}

/** Nodes put it under `data`, or one level deeper. */
function hasRevertData(value: unknown): boolean {
  if (isHex(value)) return value !== '0x'
  return typeof value === 'object' && value !== null && 'data' in value && hasRevertData(value.data)
}
