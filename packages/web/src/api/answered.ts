import { CountersignError } from '@countersign/safe'
import { fail } from '../text/fail.ts'

/** No answer within this is no answer. */
const ANSWER_MS = 20_000

/** A server that does not answer in time counts as one that cannot be reached, and so what was asked is taken back. */
export function answered<T>(signal: AbortSignal | undefined, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  return inTime(limit, ask(signal ? AbortSignal.any([signal, limit]) : limit))
}

/** Whether an error is that nobody answered in time: asking at once again would be waited for as long. */
export function isUnanswered(error: CountersignError): boolean {
  return error.data.unansweredSeconds !== undefined
}

/** Stops waiting for a request that cannot be taken back, and lets it go on. */
export function answeredOrLeft<T>(answer: Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  const late = new Promise<never>((_, reject) => limit.addEventListener('abort', () => reject(limit.reason)))
  return inTime(limit, Promise.race([answer, late]))
}

async function inTime<T>(limit: AbortSignal, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (!limit.aborted || cause instanceof CountersignError) throw cause
    const seconds = ANSWER_MS / 1000
    throw fail('SERVER_UNREACHABLE', { reason: 'late', unansweredSeconds: seconds }, cause)
  }
}
