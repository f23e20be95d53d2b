import { type Facts, finishedRun, type SignedReview } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Address } from 'viem'
import { computedQuery } from '../api/computed-query.ts'
import { useChains } from '../api/configuration.ts'
import { serverNow } from '../device/server-time.ts'
import { provedPayeesQuery } from '../evidence/attribution/proved-payees.ts'
import { useReviewLists } from '../evidence/attribution/review-lists.ts'
import { useReviewSettings } from '../evidence/review-settings.ts'
import { useRerunOnChange } from '../evidence/simulation/rerun-on-change.ts'
import { reviewQuery } from '../evidence/worker/ask-review.ts'
import { askWorker } from '../evidence/worker/ask-worker.ts'
import type { ReviewQuestion } from '../evidence/worker/calls.ts'
import { useSafeState } from '../safe/safe-state.ts'
import { useNested } from './nested/use-nested.ts'
import { givenFor } from './review-context.ts'
import type { ReviewRequest } from './subject.ts'

const noFacts: Facts = {}

export type ReviewView = {
  review: SignedReview | undefined
  state: SafeState | undefined
  facts: Facts
  /** Why the Safe could not be read; the review then says `not checked`. */
  stateError: Error | null
  /** Why there is no review at all. */
  error: Error | null
  /** Whether the Safe, or a subject approved in another Safe, is still being read. The review starts afterwards. */
  isReadingSafe: boolean
  /** The shown review is of data that the server has changed since. */
  isOutdated: boolean
  isOffline: boolean
  /** Whether it is not known if the Safe has paid some of these accounts before. */
  isPastUnread: boolean
  retry: () => void
}

/** The review of what owners are asked to sign, computed again whenever anything that it looks at changes. */
// Complexity: one pipeline of queries. Its conditions say which query the review waits for.
export function useReview(request: ReviewRequest | null, chainId: number, safeAddress: Address): ReviewView {
  const { lists, isPending: areListsPending } = useReviewLists(
    chainId,
    safeAddress,
    request?.subject.kind,
    request?.subject.kind === 'transaction' ? request.subject.safeTx.nonce : null,
  )
  const chainIds = useChains().map((chain) => chain.chainId)
  const state = useSafeState(chainId, safeAddress)
  // A state that is old because reading fails now must not carry a signature.
  const known = state.error ? null : (state.data ?? null)
  const isOffline = state.fetchStatus === 'paused'
  const settings = useReviewSettings(chainId)
  const { sources } = settings
  const isUnread = state.data === undefined && !state.error
  useEffect(() => {
    if (isUnread) askWorker('proveEarly', { chainId, safeAddress, sources }).catch(() => {})
  }, [isUnread, chainId, safeAddress, sources])
  const around = {
    chainIds,
    maxBlocksBehind: sources.maxBlocksBehind,
    now: serverNow(),
  }
  const proved = useQuery(provedPayeesQuery(request?.subject, lists, known))
  const isPastUnread = proved.error !== null || proved.data?.isWhole === false
  const given = request && givenFor(request, known, { ...lists, provedPayees: proved.data?.payees }, around)
  const { nested, isPending: isFinding } = useNested(given, chainId)
  const isReadingSafe = (state.isPending || isFinding) && !state.error && !isOffline
  const isReady = !isReadingSafe && !areListsPending && !proved.isLoading
  // Facts do not need most of the data that the review waits for.
  const ahead = given !== null && !isReady && !isOffline ? { ...settings, given, nested: undefined } : null
  useQuery({ ...computedQuery('facts-ahead', ahead, readAhead), enabled: ahead !== null })
  const question = given && { ...settings, given, nested }
  const result = useQuery({
    ...reviewQuery(question),
    enabled: question !== null && isReady,
    placeholderData: keepPreviousData,
  })
  const facts = result.data?.facts ?? noFacts
  // The run of an earlier review would release the block of the current one and restart it.
  useRerunOnChange(given, result.isPlaceholderData ? null : finishedRun(facts), known?.blockNumber)
  return {
    review: result.data?.review,
    state: state.data,
    facts,
    stateError: state.error,
    error: result.error,
    isReadingSafe,
    isOutdated: result.isPlaceholderData,
    isOffline,
    isPastUnread,
    retry: () => {
      void state.refetch()
      if (isPastUnread) void proved.refetch()
      if (question !== null && isReady) void result.refetch()
    },
  }
}

/** Ignores a failure, because the review reads these facts again. */
async function readAhead(question: ReviewQuestion | null): Promise<true> {
  if (question !== null) await askWorker('readAhead', question).catch(() => {})
  return true
}
