import type { NeededFact, ReadFact, SimulatedTransaction, SimulationNeed } from '@countersign/safe-core'
import { readFact } from '@countersign/safe-core'
import { chainRequest } from '../../api/chain-client.ts'
import { byIdentity } from '../../api/computed-query.ts'
import type { HashSources } from '../proof/hash-sources.ts'
import { pinReader } from '../proof/pinned-reader.ts'

/** Runs a transaction over proved facts where there are proofs. The engine comes with the first one that is run. */
export async function readRun({ needed, sources }: { needed: NeededFact; sources: HashSources }): Promise<ReadFact> {
  let run: SimulatedTransaction | null = null
  await readFact(chainRequest, needed, async (need) => {
    run = await simulate(need, sources)
    return run
  })
  if (run === null) return { answer: null, grade: 'unknown', isRefused: false, at: null }
  const { result } = run as SimulatedTransaction
  const grade = result.status === 'finished' ? result.grade : 'unknown'
  return { answer: byIdentity(run), grade, isRefused: false, at: null }
}

async function simulate(need: SimulationNeed, sources: HashSources): Promise<SimulatedTransaction> {
  const [{ simulateInPage }, pinned] = await Promise.all([
    import('../../simulation/simulate-in-page.ts'),
    pinReader(need.chainId, sources).catch(() => null),
  ])
  const header = pinned?.reader.block.header ?? null
  // A node that is behind may not know the block that the Safe was read at.
  const isRecent = header !== null && header.number >= need.blockNumber
  return simulateInPage(need, pinned && isRecent ? { ...pinned.reader, header } : null)
}
