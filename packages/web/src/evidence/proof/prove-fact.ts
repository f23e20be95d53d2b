import { type NeededFact, type ReadFact, readFact } from '@countersign/review'
import { requestByPage } from '../worker/ask-page.ts'
import type { HashSources } from './hash-sources.ts'
import { dropPin, pinReader } from './pinned-reader.ts'

/** Reads a fact through proofs, at one block with the others that are asked now. */
export async function readProvedFact({
  needed,
  sources,
}: {
  needed: NeededFact
  sources: HashSources
}): Promise<ReadFact> {
  const chainId = chainOf(needed)
  if (chainId === null)
    return {
      answer: (await readFact(requestByPage, needed)) ?? null,
      grade: 'one-node',
      isRefused: false,
      isIncomplete: false,
      at: null,
    }
  const pin = pinReader(chainId, sources)
  const first = await (await pin).read(needed)
  const status = first.at?.vouching.status
  if (!first.isRefused && status !== 'disagree' && status !== 'old') return first
  // The head moves, and a block may be replaced while its state is read: the newest one is tried once more.
  dropPin(chainId, sources, pin)
  return (await pinReader(chainId, sources)).read(needed)
}

/** The chain that a fact is asked of; null where it is asked of several. */
function chainOf({ need }: NeededFact): number | null {
  const chainId = typeof need === 'object' && need !== null && 'chainId' in need ? need.chainId : null
  return typeof chainId === 'number' ? chainId : null
}
