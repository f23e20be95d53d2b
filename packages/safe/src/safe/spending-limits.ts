import { type Address, decodeFunctionResult, encodeFunctionData, isHex, parseAbi } from 'viem'
import { deploymentAt } from '../deployments/deployments.ts'
import { fail } from '../error-sentences.ts'
import type { RpcRequest } from './safe-state.ts'

/**
 * A spending limit of the Allowance Module. `token` zero is the chain's coin; amounts are in its smallest unit. `spent` is of
 * the present period, which lasts `resetMinutes`; 0 is a limit that never starts anew.
 */
export type SpendingLimit = {
  module: Address
  delegate: Address
  token: Address
  amount: bigint
  spent: bigint
  resetMinutes: number
}

/** Limits of a Safe; `isWhole` is false where there are more than are read. */
export type SpendingLimits = { limits: SpendingLimit[]; isWhole: boolean }

/** Readings of the Allowance Module, 0.1.0 and 0.1.1. */
const readingAbi = parseAbi([
  'function getDelegates(address safe, uint48 start, uint8 pageSize) view returns (address[] results, uint48 next)',
  'function getTokens(address safe, address delegate) view returns (address[])',
  'function getTokenAllowance(address safe, address delegate, address token) view returns (uint256[5])',
])

const MAX_DELEGATES = 50
const MAX_TOKENS = 20

/**
 * The modules among these that are a release of the Allowance Module, by their address.
 *
 * @example
 * limitModules(state.modules)
 */
export function limitModules(modules: readonly Address[]): Address[] {
  return modules.filter((module) => deploymentAt(module)?.name === 'AllowanceModule')
}

/**
 * Reads who may spend how much of a Safe by one Allowance Module. The module itself begins a new period with its first use,
 * and answers as if it had.
 *
 * @throws CountersignError `RPC_ERROR` when the module answers something else; whatever `request` throws
 * @example
 * const { limits } = await readSpendingLimits(request, state.address, module)
 */
export async function readSpendingLimits(
  request: RpcRequest,
  safeAddress: Address,
  module: Address,
): Promise<SpendingLimits> {
  const ask = async (data: `0x${string}`) => {
    const answer = await request({ method: 'eth_call', params: [{ to: module, data }, 'latest'] })
    if (!isHex(answer) || answer === '0x') throw fail('RPC_ERROR', { reason: 'other', wanted: 'a spending limit' })
    return answer
  }
  const args = [safeAddress, 0, MAX_DELEGATES] as const
  const listed = await ask(encodeFunctionData({ abi: readingAbi, functionName: 'getDelegates', args }))
  const [delegates, next] = decodeFunctionResult({ abi: readingAbi, functionName: 'getDelegates', data: listed })
  const ofDelegates = await Promise.all(
    delegates.map(async (delegate) => {
      const data = await ask(
        encodeFunctionData({ abi: readingAbi, functionName: 'getTokens', args: [safeAddress, delegate] }),
      )
      const tokens = decodeFunctionResult({ abi: readingAbi, functionName: 'getTokens', data })
      const limits = await Promise.all(
        tokens.slice(0, MAX_TOKENS).map(async (token): Promise<SpendingLimit> => {
          const asked = [safeAddress, delegate, token] as const
          const read = await ask(
            encodeFunctionData({ abi: readingAbi, functionName: 'getTokenAllowance', args: asked }),
          )
          const [amount, spent, resetMinutes] = decodeFunctionResult({
            abi: readingAbi,
            functionName: 'getTokenAllowance',
            data: read,
          })
          return { module, delegate, token, amount, spent, resetMinutes: Number(resetMinutes) }
        }),
      )
      return { limits, isWhole: tokens.length <= MAX_TOKENS }
    }),
  )
  return {
    limits: ofDelegates.flatMap(({ limits }) => limits.filter(({ amount }) => amount > 0n)),
    isWhole: next === 0 && ofDelegates.every(({ isWhole }) => isWhole),
  }
}
