import { type Address, type Hex, isHex } from 'viem'
import type { Chain } from './clients.ts'
import { isRevert } from './errors.ts'

const DEADLINE_MS = 8_000
/** Contracts that one process asks at a time: each question can cost a node a tenth of a second. */
const MAX_ASKING = 32
/** Contracts asked at a time for one account, or for one network without a session. */
const MAX_ASKING_OF_ONE = 8

/** `unavailable`: nobody answered, which says nothing about the contract. */
export type ContractReply = { kind: 'answer'; data: Hex } | { kind: 'revert' } | { kind: 'unavailable'; cause: unknown }

let asking = 0
const askingOfOne = new Map<string, number>()

/**
 * Asks a contract that nobody vouches for: alone, so that a slow one keeps nobody else waiting, unless several nodes have
 * to agree in what it answers; for a limited time; and
 * with a limited amount of gas, which also limits how much it can answer. Of one client few are asked at a time. Never throws.
 */
export async function askContract(
  chain: Chain,
  call: { from: Address; to?: Address; data: Hex; gas: Hex },
  block: Hex | 'latest',
): Promise<ContractReply> {
  const leave = takePlace(chain.client?.key ?? null)
  if (!leave) return { kind: 'unavailable', cause: new Error('too many contracts are asked') }
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
    leave()
    deadline.abort()
  }
}

/** Takes one of the places for questions, and returns how to leave it; null when the process or the client has none left. */
function takePlace(key: string | null): (() => void) | null {
  const own = key === null ? 0 : (askingOfOne.get(key) ?? 0)
  if (asking >= MAX_ASKING || own >= MAX_ASKING_OF_ONE) return null
  asking += 1
  if (key !== null) askingOfOne.set(key, own + 1)
  return () => {
    asking -= 1
    if (key === null) return
    const left = (askingOfOne.get(key) ?? 1) - 1
    if (left > 0) askingOfOne.set(key, left)
    else askingOfOne.delete(key)
  }
}
