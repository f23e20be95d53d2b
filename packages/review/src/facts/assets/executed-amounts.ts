import { isSameAddress, type RpcRequest } from '@countersign/safe'
import { type Address, erc20Abi, getAbiItem, hexToBigInt, pad, size, toEventSelector, zeroAddress } from 'viem'
import type { Executed, ExecutingSafe } from '../../policy/executions-of-period.ts'
import type { Period } from '../../policy/period-logs.ts'
import { defineFact } from '../fact.ts'

const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))

/**
 * Movements within the period of one limit: of a token the sum in base units, of the native coin what the Safe
 * executed. Undefined where nobody could tell.
 */
export type ExecutedAmount = { asset: Address; period: number } & (
  | { kind: 'token'; moved: bigint | undefined }
  | { kind: 'native'; executed: readonly Executed[] | undefined }
)

/**
 * Finds what left the Safe within the period of each limit of the team's policy, by the logs of tokens and of the Safe. The server
 * has no word in it.
 */
export const executedAmounts = defineFact({
  id: 'executedAmounts',
  needs: ({ chainId, safeAddress, state, policy }) => {
    const limits = policy?.status === 'in-force' ? policy.policy.amountLimits : []
    if (state === null || limits.length === 0) return null
    const periods = limits.map(({ asset, period }) => ({ asset, period }))
    return { chainId, safeAddress, nonce: state.nonce, version: state.version, limits: periods }
  },
  async read(chain, { chainId, safeAddress, nonce, version, limits }): Promise<ExecutedAmount[]> {
    const request = chain(chainId)
    // Asked once, with the other facts, while the code that reads on arrives. Each limit says that there was no answer.
    const newest = request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    newest.catch(() => {})
    return Promise.all(
      limits.map(async ({ asset, period }): Promise<ExecutedAmount> => {
        if (!isSameAddress(asset, zeroAddress))
          return {
            asset,
            period,
            kind: 'token',
            moved: await orUndefined(readMoved(request, asset, safeAddress, { newest, seconds: period })),
          }
        const safe = version === null ? undefined : { chainId, safeAddress, nonce, version }
        const executed = safe && (await orUndefined(readExecuted(request, safe, { newest, seconds: period })))
        return { asset, period, kind: 'native', executed }
      }),
    )
  },
})

// Most teams have no limits, and need no code that reads what counts against one.

/** Reads what the Safe executed. */
async function readExecuted(request: RpcRequest, safe: ExecutingSafe, period: Period): Promise<Executed[]> {
  const { readExecutionsOfPeriod } = await import('../../policy/executions-of-period.ts')
  return readExecutionsOfPeriod(request, safe, period)
}

/** Adds up what a token says it moved from the Safe to others. */
async function readMoved(request: RpcRequest, token: Address, safeAddress: Address, period: Period): Promise<bigint> {
  const filter = { address: token, topics: [TRANSFER, pad(safeAddress)] }
  const { readLogsOfPeriod } = await import('../../policy/period-logs.ts')
  const logs = await readLogsOfPeriod(request, filter, period)
  return logs.reduce((sum, { topics: [, , to], data }) => {
    if (to === undefined || size(data) !== 32) throw new Error(`${token} logs transfers of no amount.`)
    return hexToBigInt(to) === hexToBigInt(safeAddress) ? sum : sum + hexToBigInt(data)
  }, 0n)
}

async function orUndefined<Of>(asked: Promise<Of>): Promise<Of | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
