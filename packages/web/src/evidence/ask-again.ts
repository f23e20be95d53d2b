/** Milliseconds after which an answer that may change without notice is asked for again. */
export const OPEN_ANSWER_MS = 10_000
const MAX_FAILED_MS = 60_000

/** Returns the milliseconds until a failed question is asked again, by the number of tries so far. */
export function pauseAfter(tries: number): number {
  return Math.min(OPEN_ANSWER_MS * 2 ** (tries - 1), MAX_FAILED_MS)
}

/** Whether a review is asked for again once the network is back: one that has failed is. */
export function isFailed({ state }: { state: { status: string } }): 'always' | false {
  return state.status === 'error' ? 'always' : false
}
