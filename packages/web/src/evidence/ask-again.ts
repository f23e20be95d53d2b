import type { QueryState } from '@tanstack/react-query'
import type { RefetchReasons } from './worker/calls.ts'

/** Milliseconds after which an answer that may change without notice is asked for again. */
const OPEN_ANSWER_MS = 10_000
const MAX_FAILED_MS = 60_000

/**
 * Returns the milliseconds until a question is asked again, or false. No event tells that an owner's contract answers
 * otherwise now, nor that a node answers again: the latter is asked less often each time.
 */
export function askAgainAfter({
  status,
  data,
  dataUpdateCount,
  errorUpdateCount,
}: Pick<QueryState<RefetchReasons>, 'status' | 'data' | 'dataUpdateCount' | 'errorUpdateCount'>): number | false {
  if (status === 'error' || data?.isIncomplete) return pauseAfter(dataUpdateCount + errorUpdateCount)
  return data?.isOpen ? OPEN_ANSWER_MS : false
}

/** Returns the milliseconds until a failed question is asked again, by the number of tries so far. */
function pauseAfter(tries: number): number {
  return Math.min(OPEN_ANSWER_MS * 2 ** (tries - 1), MAX_FAILED_MS)
}

/** Whether a review is asked for again once the network is back: one that has failed is. */
export function isFailed({ state }: { state: { status: string } }): 'always' | false {
  return state.status === 'error' ? 'always' : false
}
