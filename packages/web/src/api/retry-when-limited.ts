import { CountersignError } from '@countersign/safe'

/** Tries of one request; then the error is told. */
const MAX_TRIES = 20
const MAX_SECONDS = 60
/** Longest pause before the second try of work for which the user waits. */
const MAX_SECONDS_WAITED = 10

/**
 * Asks again, after the time that the server names, where it was asked too often: for work of many requests, for which nobody
 * waits.
 *
 * @throws whatever the work throws for another reason, and at last for this one
 * @example
 * await retryWhenLimited(() => api(nameAddress, { chainId, safeAddress, address, name }))
 */
export async function retryWhenLimited<result>(work: () => Promise<result>): Promise<result> {
  return retry(work, MAX_TRIES, (seconds) => Math.min(seconds, MAX_SECONDS))
}

/**
 * Tries work once more, like {@link retryWhenLimited}, but only after a short pause, because the user waits for it.
 *
 * @example
 * await retryOnceWhenLimited(() => api(findPayments, { chainId, safeAddress, payees }))
 */
export async function retryOnceWhenLimited<result>(work: () => Promise<result>): Promise<result> {
  return retry(work, 2, (seconds) => (seconds <= MAX_SECONDS_WAITED ? seconds : null))
}

/** @param pauseOf returns the seconds of a pause, or null if the work is not tried again */
async function retry<result>(
  work: () => Promise<result>,
  maxTries: number,
  pauseOf: (seconds: number) => number | null,
): Promise<result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      const seconds = secondsOf(error)
      const pause = seconds === null || tries >= maxTries ? null : pauseOf(seconds)
      if (pause === null) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * pause))
    }
}

/** Seconds to wait; null for any other error. */
function secondsOf(error: unknown): number | null {
  if (!(error instanceof CountersignError) || !['RATE_LIMITED', 'OVERLOADED'].includes(error.code)) return null
  const { retryAfterSeconds } = error.data
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 1
}
