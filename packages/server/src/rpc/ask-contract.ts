import { type Address, type Hex, isHex } from 'viem'
import { createLane } from '../workload/lane.ts'
import type { Chain } from './clients.ts'
import { isRevert } from './errors.ts'

const DEADLINE_MS = 8_000
/**
 * Limits of one process. A question can cost a node a tenth of a second. Clients are served in turn, each few at a time. One chain
 * never has all places, because its node may hang.
 */
const lane = createLane({ atOnce: 32, atOnceOfOne: 8, atOnceOfChain: 24, waiting: 800, milliseconds: DEADLINE_MS })

/** `unavailable`: nobody answered, which says nothing about the contract. */
export type ContractReply = { kind: 'answer'; data: Hex } | { kind: 'revert' } | { kind: 'unavailable'; cause: unknown }

/** Number of questions by this process itself. Each counts as a separate client. */
let ownQuestions = 0

/**
 * Asks a contract that nobody vouches for: alone, so that a slow one keeps nobody else waiting, unless several nodes have
 * to agree in what it answers; for a limited time; and
 * with a limited amount of gas, which also limits how much it can answer. Further questions of one client wait for their turn.
 * Never throws.
 */
export async function askContract(
  chain: Chain,
  call: { from: Address; to?: Address; data: Hex; gas: Hex },
  block: Hex | 'latest',
): Promise<ContractReply> {
  ownQuestions += 1
  const key = chain.client?.key ?? `own ${ownQuestions}`
  try {
    return await lane.run(key, () => askNow(chain, call, block), String(chain.settings.chainId), chain.client?.signal)
  } catch (cause) {
    return { kind: 'unavailable', cause }
  }
}

async function askNow(...[chain, call, block]: Parameters<typeof askContract>): Promise<ContractReply> {
  const request = (chain.settings.agreement ?? 1) > 1 ? chain.request : chain.ask
  const deadline = new AbortController()
  try {
    const data = await Promise.race([
      request({ method: 'eth_call', params: [call, block] }),
      new Promise((_, reject) => {
        const timer = setTimeout(() => reject(new Error('no answer in time')), DEADLINE_MS)
        deadline.signal.addEventListener('abort', () => clearTimeout(timer))
      }),
    ])
    return isHex(data) ? { kind: 'answer', data } : { kind: 'unavailable', cause: new Error('the answer is no hex') }
  } catch (cause) {
    return isRevert(cause) ? { kind: 'revert' } : { kind: 'unavailable', cause }
  } finally {
    deadline.abort()
  }
}
