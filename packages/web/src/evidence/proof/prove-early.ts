import { configurationFact } from '@countersign/review'
import { guessSafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { HashSources } from './hash-sources.ts'
import { pinReader } from './pinned-reader.ts'

/**
 * Has the words of a Safe that this page has not read yet proved together with the reading, by a guess: where the guess is right,
 * the review finds them proved. Where it is wrong, the review asks by itself.
 */
export async function proveEarly(chainId: number, safeAddress: Address, sources: HashSources): Promise<void> {
  try {
    const [reader, guess] = await Promise.all([
      pinReader(chainId, sources),
      guessSafeState(chainRequest(chainId), safeAddress, chainId),
    ])
    const needed = guess && configurationFact(guess)
    if (needed) await reader.read(needed)
  } catch {
    // Whatever fails here fails the review's own question, which says so.
  }
}
