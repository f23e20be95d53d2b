import { configurationFact } from '@countersign/review'
import { guessSafeState } from '@countersign/safe'
import { requestByPage } from '../worker/ask-page.ts'
import type { WorkerCalls } from '../worker/calls.ts'
import { pinReader } from './pinned-reader.ts'

/**
 * Has the words of a Safe that this page has not read yet proved together with the reading, by a guess: where the guess is right,
 * the review finds them proved. Where it is wrong, the review asks by itself.
 */
export const proveEarly: WorkerCalls['proveEarly'] = async ({ chainId, safeAddress, sources }) => {
  try {
    const [reader, guess] = await Promise.all([
      pinReader(chainId, sources),
      guessSafeState(requestByPage(chainId), safeAddress, chainId),
    ])
    const needed = guess && configurationFact(guess)
    if (needed) await reader.read(needed)
  } catch {
    // Whatever fails here fails the review's own question, which says so.
  }
}
