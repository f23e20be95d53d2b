import {
  collectFacts,
  type Facts,
  type Given,
  isFactOpen,
  type NeededFact,
  neededFacts,
  type ReadFact,
  type SignedSubject,
  type SimulationNeed,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { type QueryState, useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { byIdentity, computedQuery } from '../api/computed-query.ts'
import { OPEN_ANSWER_MS, pauseAfter } from './ask-again.ts'
import { type HashSources, useHashSources } from './proof/hash-sources.ts'
import { factsRead } from './read-facts.ts'
import { runKey } from './simulation/precedence.ts'
import { askWorker } from './worker/ask-worker.ts'

/** The Worker also keeps an answer for 15 seconds, so a fresh answer is at most 30 seconds old. */
const STALE_MS = 15_000

type FactState = Pick<QueryState<ReadFact>, 'status' | 'data' | 'dataUpdateCount' | 'errorUpdateCount'>

/**
 * Milliseconds after which a fact is asked for again, or false. No event tells that an owner's contract answers otherwise
 * now, nor that a node answers again: the latter is asked less often each time.
 */
export function askAgainAfter(
  needed: NeededFact,
  { status, data, dataUpdateCount, errorUpdateCount }: FactState,
): number | false {
  if (status === 'error' || data?.isIncomplete) return pauseAfter(dataUpdateCount + errorUpdateCount)
  return data !== undefined && data.answer !== null && isFactOpen(needed, data.answer) ? OPEN_ANSWER_MS : false
}

/** One fact of a review. What it asks, and of whom, is its key. Facts that are asked together travel together. */
export function factQuery(needed: NeededFact, sources: HashSources) {
  const isRun = needed.id === 'simulation'
  return {
    ...(isRun
      ? computedQuery('run', { needed, sources }, readRun)
      : computedQuery('fact', { needed, sources }, readOne)),
    // A run on one block never changes; which block it is made on is part of what is needed.
    staleTime: isRun ? Number.POSITIVE_INFINITY : STALE_MS,
    // A run has thousands of parts: whatever is computed from it compares it as a whole.
    structuralSharing: !isRun,
    refetchInterval: ({ state }: { state: FactState }) => askAgainAfter(needed, state),
  }
}

type Question = { needed: NeededFact; sources: HashSources }

function readOne(question: Question): Promise<ReadFact> {
  return askWorker('readFact', question)
}

async function readRun(question: Question): Promise<ReadFact> {
  const read = await readOne(question)
  const { answer } = read
  return typeof answer === 'object' && answer !== null ? { ...read, answer: byIdentity(answer) } : read
}

/** Gives a run priority over those of lists. Returns a function that ends this. */
export function prioritizeRun(key: string): () => void {
  const tell = (isAwaited: boolean) => void askWorker('setPriority', { key, isAwaited }).catch(() => {})
  tell(true)
  return () => tell(false)
}

/** The run among the facts, by the name under which it waits; null where there is none. */
export function awaitedRun(needed: readonly NeededFact[]): string | null {
  const found = needed.find(({ id }) => id === 'simulation')
  return found === undefined ? null : runKey(found.need as SimulationNeed)
}

/** Collects the chain's answers for a review. An answer that could not be read is absent, and the review says so. */
export function useFacts(
  given: Given | null,
  chainId: number,
): {
  facts: ReturnType<typeof factsRead>
  read: readonly ReadFact[]
  isPending: boolean
  /** Whether the run is all that is still waited for. */
  isRunning: boolean
  retry: () => void
} {
  const sources = useHashSources(chainId)
  const needed = given ? neededFacts(given) : []
  const answers = useQueries({ queries: needed.map((need) => factQuery(need, sources)) })
  const awaited = awaitedRun(needed)
  useEffect(() => (awaited === null ? undefined : prioritizeRun(awaited)), [awaited])
  const read = answers.map(({ data }) => data)
  return {
    facts: factsRead(needed, read, sources),
    read: read.filter((fact) => fact !== undefined),
    isPending: answers.some(({ isPending }) => isPending),
    isRunning: answers.some(
      ({ isPending }, index) =>
        isPending && needed[index]?.id === 'simulation' && answers.filter((answer) => answer.isPending).length === 1,
    ),
    retry: () => {
      for (const answer of answers) void answer.refetch()
    },
  }
}

/** Reads the facts about signatures under this that are not reviewed yet, as a review does: proved where they can be. */
export function readSignatureFacts(
  { subject, state, sources }: { subject: SignedSubject; state: SafeState; sources: HashSources },
  confirmations: Given['confirmations'],
): Promise<Pick<Facts, 'contractSignatures' | 'approvedHashes'>> {
  const nothing = {
    claimedHash: null,
    others: [],
    account: null,
    origin: null,
    tokens: [],
  } as const
  const given = { ...subject, ...nothing, state, confirmations }
  const isOfSignatures = ({ id }: NeededFact) => id === 'contractSignatures' || id === 'approvedHashes'
  return collectFacts(given, async (needed) => {
    if (!isOfSignatures(needed)) return undefined
    const { answer, isRefused } = await readOne({ needed, sources })
    return isRefused ? undefined : answer
  })
}
