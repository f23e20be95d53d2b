import { askWorker } from './ask-worker.ts'

/**
 * Has facts of a chain read anew, all at one block, until released. What is known of them by then is not used.
 *
 * @returns releases it
 */
export function holdBlock(chainId: number): () => Promise<void> {
  // A Worker that ends meanwhile holds nothing: facts of several blocks are then refused.
  const held = askWorker('holdBlock', chainId).then(
    () => true,
    () => false,
  )
  return async () => {
    if (await held) await askWorker('releaseBlock', chainId).catch(() => {})
  }
}
