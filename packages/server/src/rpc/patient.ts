import { setTimeout as sleep } from 'node:timers/promises'
import { HttpRequestError } from 'viem'
import type { Chain } from './clients.ts'

/** Tries of one question that nodes put off. */
const MAX_TRIES = 7
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 8_000
/** A stop waits no longer than this. */
const STEP_MS = 250

/**
 * Wraps a chain for the follower. A request that a node rejects because of its rate limit is repeated automatically and takes no
 * place from waiting clients. Without this, a range with thousands of requests would restart at the first rejected one.
 */
export function patient(chain: Chain, isStopped: () => boolean): Chain {
  const again = <result>(work: () => Promise<result>) => untilTaken(work, isStopped)
  return {
    ...chain,
    // It changes while the chain is followed.
    get status() {
      return chain.status
    },
    request: (call) => again(() => chain.request({ ...call, isBehind: true })),
    ask: (call) => again(() => chain.ask({ ...call, isBehind: true })),
    requestLogs: (filters, range) => again(() => chain.requestLogs(filters, range, { isBehind: true })),
    readSafe: (address, options) => chain.readSafe(address, { ...options, isBehind: true }),
  }
}

async function untilTaken<result>(work: () => Promise<result>, isStopped: () => boolean): Promise<result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (!isPutOff(error) || tries >= MAX_TRIES) throw error
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS) * (0.5 + Math.random() / 2)
      for (let left = pause; left > 0; left -= STEP_MS) {
        if (isStopped()) throw error
        await sleep(Math.min(left, STEP_MS))
      }
    }
}

function isPutOff(error: unknown): boolean {
  return error instanceof HttpRequestError && error.status === 429
}
