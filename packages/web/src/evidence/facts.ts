import {
  type Facts,
  factsOf,
  type Given,
  hashSubject,
  type NeededFact,
  neededForSignatures,
  type SignedSubject,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { QueryState } from '@tanstack/react-query'
import { computedQuery } from '../api/computed-query.ts'
import { askAgainAfter } from './ask-again.ts'
import type { HashSources } from './proof/hash-sources.ts'
import { askWorker } from './worker/ask-worker.ts'
import type { CachedFact } from './worker/calls.ts'

/** The Worker also keeps an answer for 15 seconds, so a fresh answer is at most 30 seconds old. */
const STALE_MS = 15_000

/** Queries one fact. Its need and its sources are the key. Facts that are queried together share one request. */
export function factQuery(needed: NeededFact, sources: HashSources) {
  return {
    ...computedQuery('fact', { needed, sources }, readFact),
    staleTime: STALE_MS,
    refetchInterval: ({ state }: { state: QueryState<CachedFact> }) => askAgainAfter(state),
  }
}

function readFact(question: { needed: NeededFact; sources: HashSources }): Promise<CachedFact> {
  return askWorker('readFact', question)
}

/** Reads the facts about signatures under this that are not reviewed yet, as a review does: proved where they can be. */
export async function readSignatureFacts(
  { subject, state, sources }: { subject: SignedSubject; state: SafeState; sources: HashSources },
  confirmations: Given['confirmations'],
): Promise<Pick<Facts, 'contractSignatures' | 'approvedHashes'>> {
  const { hash } = hashSubject(subject, state)
  // A review asks for approvals of transactions only.
  const needed = neededForSignatures({ ...subject, hash, subject }, state, confirmations).filter(
    ({ id }) => subject.kind === 'transaction' || id !== 'approvedHashes',
  )
  const read = await Promise.allSettled(needed.map((fact) => readFact({ needed: fact, sources })))
  return factsOf(
    needed,
    read.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined)),
  )
}
