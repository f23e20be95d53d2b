import { deploymentAt, isSameAddress, type RpcRequest } from '@countersign/safe'
import { flattenCalls } from '@countersign/safe/calls'
import { type Address, numberToHex } from 'viem'
import type { TransactionGiven } from '../../given.ts'
import { describeTransaction, targetsOf } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { defineFact } from '../fact.ts'

const MAX_CONTRACTS = 10
const YOUNG_S = 30 * 86_400
/** Blocks by which the time between two of them is measured. */
const SAMPLE = 50_000

/**
 * Whether contracts were there thirty days ago, by lower-case address; left out where the node did not say. Most nodes keep
 * no state that old.
 */
export const codeAges = defineFact({
  id: 'codeAges',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const contracts = agingContracts(given)
    return contracts.length === 0 ? null : { chainId: given.chainId, contracts: contracts.slice(0, MAX_CONTRACTS) }
  },
  async read(chain, { chainId, contracts }): Promise<Record<string, CodeAge | undefined>> {
    const request = chain(chainId)
    const block = await blockBefore(request, YOUNG_S)
    if (block === null) return {}
    const read = await Promise.all(contracts.map((contract) => readAge(request, contract, block)))
    return Object.fromEntries(read.flat())
  },
})

/** Lists the contracts whose age matters: not official releases and not listed tokens. A batch can call more than the limit. */
export function agingContracts(given: TransactionGiven): Address[] {
  return targetsOf(flattenCalls(describeTransaction(given))).filter(
    (target) =>
      deploymentAt(target) === null &&
      listedToken(given.tokens, target) === undefined &&
      !isSameAddress(target, given.safeAddress),
  )
}

/** `young`: the contract was not there thirty days ago. */
export type CodeAge = 'young' | 'old'

async function readAge(request: RpcRequest, contract: Address, block: number) {
  try {
    const code = await request({ method: 'eth_getCode', params: [contract, numberToHex(block)] })
    if (typeof code !== 'string') return []
    return [[contract.toLowerCase(), code === '0x' ? 'young' : 'old'] as const]
  } catch {
    return []
  }
}

/** A block, and the seconds since 1970 in it. */
export type Block = { number: number; time: number }

/** The number of a block that is at least so many seconds old; null where the chain is younger. */
async function blockBefore(request: RpcRequest, seconds: number): Promise<number | null> {
  const newest = await readBlock(request, 'latest')
  if (newest === null || newest.number === 0) return null
  const sample = await readBlock(request, numberToHex(Math.max(0, newest.number - SAMPLE)))
  if (sample === null || newest.time <= sample.time) return null
  const blockTime = (newest.time - sample.time) / (newest.number - sample.number)
  // A tenth more, as blocks were not always as far apart.
  const number = newest.number - Math.ceil((seconds * 1.1) / blockTime)
  if (number < 0) return null
  const found = await readBlock(request, numberToHex(number))
  return found !== null && newest.time - found.time >= seconds ? number : null
}

/** Reads when a block was; null where the node says no such thing. */
export async function readBlock(request: RpcRequest, block: string): Promise<Block | null> {
  const answer = await request({ method: 'eth_getBlockByNumber', params: [block, false] })
  if (typeof answer !== 'object' || answer === null || !('number' in answer) || !('timestamp' in answer)) return null
  const [number, time] = [Number(answer.number), Number(answer.timestamp)]
  return Number.isSafeInteger(number) && Number.isSafeInteger(time) ? { number, time } : null
}
