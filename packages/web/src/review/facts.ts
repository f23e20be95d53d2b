import {
  collectFacts,
  type Facts,
  type Given,
  isFactOpen,
  type NeededFact,
  neededFacts,
  readFact,
  type SafeState,
  type Subject,
  toFacts,
} from '@countersign/safe-core'
import { useQueries } from '@tanstack/react-query'
import { chainRequest } from '../api/chain-client.ts'
import { computedQuery } from '../api/computed-query.ts'

const OPEN_ANSWER_MS = 10_000

function readNeeded(needed: NeededFact): Promise<unknown> {
  return readFact(chainRequest, needed).then((answer) => answer ?? null)
}

/** One fact of a review. What it asks is its key. Facts that are asked together travel together. */
export function factQuery(needed: NeededFact) {
  return {
    ...computedQuery('fact', needed, readNeeded),
    staleTime: 30_000,
    // An owner that is a contract may answer later, and no event tells of it.
    refetchInterval: ({ state }: { state: { data?: unknown } }) =>
      state.data !== undefined && isFactOpen(needed, state.data) ? OPEN_ANSWER_MS : (false as const),
  }
}

/** Collects the chain's answers for a review. An answer that could not be read is absent, and the review says so. */
export function useFacts(given: Given | null): { facts: Facts; isPending: boolean; retry: () => void } {
  const needed = given ? neededFacts(given) : []
  const answers = useQueries({ queries: needed.map(factQuery) })
  return {
    facts: toFacts(
      needed,
      answers.map(({ data }) => data),
    ),
    isPending: answers.some(({ isPending }) => isPending),
    retry: () => {
      for (const answer of answers) void answer.refetch()
    },
  }
}

/** Reads the facts about signatures under this that are not reviewed yet. */
export function readSignatureFacts(
  subject: Subject,
  state: SafeState,
  confirmations: Given['confirmations'],
): Promise<Pick<Facts, 'contractSignatures' | 'approvedHashes'>> {
  const nothing = {
    claimedHash: null,
    others: [],
    account: null,
    origin: null,
    tokens: [],
    sources: 'server-only',
  } as const
  const given = { ...subject, ...nothing, state, confirmations }
  const isOfSignatures = ({ id }: NeededFact) => id === 'contractSignatures' || id === 'approvedHashes'
  return collectFacts(given, async (needed) => (isOfSignatures(needed) ? readNeeded(needed) : undefined))
}
