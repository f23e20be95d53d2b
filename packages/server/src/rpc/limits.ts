import { HttpRequestError } from 'viem'
import { isNodeFailure } from './errors.ts'

const MAX_AT_ONCE = 6
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000
/** A node that names a longer pause is asked again after this one. */
const MAX_RETRY_AFTER_MS = 600_000

/** When a node that failed is asked again. */
export function createBackoff() {
  let failures = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let pausedUntil = 0
  let failure: unknown = null
  return {
    failure: () => failure,
    pause: () => Math.max(0, pausedUntil - performance.now()),
    answered() {
      failures = 0
      failure = null
    },
    /** Requests that were under way at a failure count as one failure together. */
    failed(error: unknown, startedAt: number) {
      if (!isNodeFailure(error)) return
      failure = error
      const now = performance.now()
      const wish = error instanceof HttpRequestError ? parseRetryAfter(error.headers?.get('retry-after')) : 0
      pausedUntil = Math.max(pausedUntil, now + Math.min(wish, MAX_RETRY_AFTER_MS))
      if (startedAt < failedAt) return
      failures += 1
      failedAt = now
      const longest = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
      pausedUntil = Math.max(pausedUntil, now + longest * (0.5 + Math.random() / 2))
    },
  }
}

/** Waits for a place among what is asked at once and, where there is a limit, for its time. @returns gives the place back */
export function createRequestSlots(requestsPerSecond: number | undefined): (calls: number) => Promise<() => void> {
  const waiting: (() => void)[] = []
  let atOnce = 0
  let freeAt = 0
  return async (calls) => {
    if (atOnce >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else atOnce += 1
    if (requestsPerSecond !== undefined) {
      const now = performance.now()
      const wait = freeAt - now
      freeAt = Math.max(now, freeAt) + (1000 * calls) / requestsPerSecond
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    }
    return () => {
      const next = waiting.shift()
      if (next) next()
      else atOnce -= 1
    }
  }
}

/** Milliseconds, from seconds or a date; 0 for neither. */
function parseRetryAfter(text: string | null | undefined): number {
  if (!text) return 0
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Math.max(0, milliseconds || 0)
}
