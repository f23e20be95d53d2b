import { askWorker } from './ask-worker.ts'

/**
 * Makes the Worker read facts of a chain again, all at one block, until released. It does not use cached answers.
 *
 * @returns releases it
 */
export function holdBlock(chainId: number): () => Promise<void> {
  // If the Worker ends meanwhile, it no longer holds the block, and facts of several blocks are refused.
  const held = askWorker('holdBlock', chainId).then(
    () => true,
    () => false,
  )
  return async () => {
    if (await held) await askWorker('releaseBlock', chainId).catch(() => {})
  }
}
