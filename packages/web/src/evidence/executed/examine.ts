import { type ExaminedExecution, examineExecution } from '@countersign/review'
import { packEngine } from '../simulation/pack-engine.ts'
import { askPage, requestByPage } from '../worker/ask-page.ts'
import type { ExecutedTransaction } from '../worker/calls.ts'

/**
 * Reads the receipt from the chain, and runs the transaction again on the block before. Null if the node has no receipt.
 *
 * @throws CountersignError as `examineExecution`
 */
export function examine({ sources, ...execution }: ExecutedTransaction): Promise<ExaminedExecution | null> {
  const { chainId } = execution
  const { wallet, needed } = sources
  const askSources = (blockNumber: bigint) => askPage('askForHash', { chainId, blockNumber, wallet })
  return examineExecution(execution, { request: requestByPage(chainId), askSources, needed }, packEngine)
}
