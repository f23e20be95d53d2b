import type { QueryState } from '@tanstack/react-query'
import type { RefetchReasons } from './worker/calls.ts'

/** Milliseconds after which an answer that may change without notice is asked for again. */
const OPEN_ANSWER_MS = 10_000
const MAX_FAILED_MS = 60_000

/**
 * Returns the milliseconds until a question is asked again, or false. No event reports that an owner's contract changed its
 * answer, or that a node answers again. After failures, the pause grows each time.
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

/** Refetches a review that failed or is incomplete once the network is back. */
export function askAgainOnline({
  state,
}: {
  state: Pick<QueryState<RefetchReasons>, 'status' | 'data'>
}): 'always' | false {
  return state.status === 'error' || state.data?.isIncomplete ? 'always' : false
}
