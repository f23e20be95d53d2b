import { CountersignError } from '@countersign/safe-core'
import { text } from '../text/text.ts'

/** No answer within this is no answer. */
const ANSWER_MS = 20_000

/** A server that does not answer in time counts as one that cannot be reached. */
export async function answered<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  try {
    return await ask(AbortSignal.any([signal, limit]))
  } catch (cause) {
    if (!limit.aborted || cause instanceof CountersignError) throw cause
    throw new CountersignError('SERVER_UNREACHABLE', text('wallet.verify.noAnswer', { seconds: ANSWER_MS / 1000 }), {
      cause,
    })
  }
}
