import type { FinishedSimulation, Given } from '@countersign/review'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { releaseBlock } from '../pinned-block.ts'
import { type HashSources, useHashSources } from '../proof/hash-sources.ts'
import { askWorker } from '../worker/ask-worker.ts'

type Looked = {
  chainId: number
  safeAddress: Given['safeAddress']
  /** The block that the review took. */
  blockNumber: bigint
  head: bigint
  run: FinishedSimulation | null
  sources: HashSources
}

/**
 * Looks at what a run has used whenever the head has moved. Where anything of it is different now the review takes the
 * newest block, and runs the transaction again.
 */
export function useRerunOnChange(given: Given | null, run: FinishedSimulation | null, head: bigint | undefined): void {
  const sources = useHashSources(given?.chainId ?? 0)
  const blockNumber = given?.blockNumber
  // Each refetch of a review brings a copy of the run. `seen` covers everything that is compared.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a copy is not another run
  const numbered = useMemo(() => run && byIdentity(run), [run?.block.number, run?.seen])
  const isMoved = run !== null && head !== undefined && blockNumber !== undefined && head > run.block.number
  const looked: Looked = {
    chainId: given?.chainId ?? 0,
    safeAddress: given?.safeAddress ?? '0x',
    sources,
    blockNumber: blockNumber ?? 0n,
    head: head ?? 0n,
    run: numbered,
  }
  useQuery({ ...computedQuery('touched', looked, isDifferent), enabled: isMoved })
}

async function isDifferent({ chainId, safeAddress, blockNumber, run, sources }: Looked): Promise<boolean> {
  if (run === null) return false
  const hasChanged = await askWorker('hasChanged', { chainId, sources, run })
  if (hasChanged) releaseBlock({ chainId, address: safeAddress }, blockNumber)
  return hasChanged
}
