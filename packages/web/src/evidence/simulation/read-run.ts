import {
  type FactReader,
  type NeededFact,
  type ReadFact,
  readFact,
  type SimulatedTransaction,
  type SimulationNeed,
} from '@countersign/review'
import type { HashSources } from '../proof/hash-sources.ts'
import { dropPin, pinReader } from '../proof/pinned-reader.ts'
import { requestByPage } from '../worker/ask-page.ts'
import { simulateTransaction } from './simulate-transaction.ts'

/** Runs a transaction over proved facts where there are proofs. */
export async function readRun({ needed, sources }: { needed: NeededFact; sources: HashSources }): Promise<ReadFact> {
  let run: SimulatedTransaction | null = null
  let at: ReadFact['at'] = null
  let hasNoPin = false
  await readFact(requestByPage, needed, async (need) => {
    const pinned = await pinRecent(need, sources).catch(() => {
      hasNoPin = true
      return null
    })
    const block = pinned?.reader.block
    if (block) at = { block: block.number, hash: block.hash, vouching: block.vouching }
    const header = block?.header ?? null
    run = await simulateTransaction(need, pinned && header !== null ? { ...pinned.reader, header } : null)
    return run
  })
  if (run === null) return { answer: null, grade: 'unknown', isRefused: false, isIncomplete: false, at }
  const { result, standIn } = run as SimulatedTransaction
  // On a chain without an EVM the node's own run is all that there is.
  const isSaid = result.status === 'unfinished' && result.reason.kind === 'machine' && standIn !== null
  const grade = result.status === 'finished' ? result.grade : isSaid ? 'one-node' : 'unknown'
  const isCutOff = result.status === 'unfinished' && result.reason.kind === 'reader'
  return { answer: run, grade, isRefused: false, isIncomplete: isCutOff || hasNoPin, at }
}

/** The reader of a block no older than that at which the Safe was read. Null: the node is behind, and does not know it. */
async function pinRecent({ chainId, blockNumber }: SimulationNeed, sources: HashSources): Promise<FactReader | null> {
  const isRecent = ({ reader }: FactReader) => reader.block.number >= blockNumber
  const known = pinReader(chainId, sources)
  const first = await known
  if (isRecent(first)) return first
  dropPin(chainId, sources, known)
  const newest = await pinReader(chainId, sources)
  return isRecent(newest) ? newest : null
}
