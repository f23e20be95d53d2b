import { CountersignError } from '@countersign/safe'

/** Tries of one request; then the error is told. */
const MAX_TRIES = 20
const MAX_SECONDS = 60

/**
 * Asks again, after the time that the server names, where it was asked too often: for work of many requests, for which nobody
 * waits.
 *
 * @throws whatever the work throws for another reason, and at last for this one
 * @example
 * await retryWhenLimited(() => api(nameAddress, { chainId, safeAddress, address, name }))
 */
export async function retryWhenLimited<result>(work: () => Promise<result>): Promise<result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      const seconds = secondsOf(error)
      if (seconds === null || tries >= MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(seconds, MAX_SECONDS)))
    }
}

/** Seconds to wait; null for any other error. */
function secondsOf(error: unknown): number | null {
  if (!(error instanceof CountersignError) || !['RATE_LIMITED', 'OVERLOADED'].includes(error.code)) return null
  const { retryAfterSeconds } = error.data
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 1
}
