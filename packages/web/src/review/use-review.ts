import { type Facts, finishedRun, type SignedReview } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Address } from 'viem'
import { computedQuery } from '../api/computed-query.ts'
import { useChains } from '../api/configuration.ts'
import { serverNow } from '../device/server-time.ts'
import { isFailed } from '../evidence/ask-again.ts'
import { provedPayeesQuery } from '../evidence/attribution/proved-payees.ts'
import { useReviewLists } from '../evidence/attribution/review-lists.ts'
import { useFacts } from '../evidence/facts.ts'
import { useNamedTokens } from '../evidence/named-tokens.ts'
import { useHashSources } from '../evidence/proof/hash-sources.ts'
import { useRerunOnChange } from '../evidence/simulation/rerun-on-change.ts'
import { useSwapPrices } from '../evidence/swap-prices.ts'
import { askWorker } from '../evidence/worker/ask-worker.ts'
import { useSafeState } from '../safe/safe-state.ts'
import { reviewInput } from './load-review.ts'
import { useNested } from './nested/use-nested.ts'
import { givenFor } from './review-context.ts'
import type { ReviewRequest } from './subject.ts'

const MINUTE_MS = 60_000

export type ReviewView = {
  review: SignedReview | undefined
  state: SafeState | undefined
  facts: Facts
  /** Why the Safe could not be read; the review then says `not checked`. */
  stateError: Error | null
  /** Why there is no review at all. */
  error: Error | null
  isReadingChain: boolean
  /** The run of the transaction is all that is still waited for. */
  isRunning: boolean
  /** The shown review is of data that the server has changed since. */
  isOutdated: boolean
  isOffline: boolean
  /** Whether it is not known if the Safe has paid some of these accounts before. */
  isPastUnread: boolean
  retry: () => void
}

/** The review of what owners are asked to sign, computed again whenever anything that it looks at changes. */
// Complexity: one pipeline of queries, each of which feeds the next; its conditions say which of them is waited for.
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
  const sources = useHashSources(chainId)
  const { maxBlocksBehind } = sources
  const isUnread = state.data === undefined && !state.error
  useEffect(() => {
    if (isUnread) askWorker('proveEarly', { chainId, safeAddress, sources }).catch(() => {})
  }, [isUnread, chainId, safeAddress, sources])
  const around = {
    chainIds,
    maxBlocksBehind,
    // A sign-in message expires; to the minute is near enough.
    now: Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS,
  }
  const proved = useQuery(provedPayeesQuery(request?.subject, lists, known))
  const isPastUnread = proved.error !== null || proved.data?.isWhole === false
  const asked = request && givenFor(request, known, { ...lists, provedPayees: proved.data?.payees }, around)
  const named = useNamedTokens(asked)
  const given = named.given
  const facts = useFacts(given, chainId)
  const revealed = useNamedTokens(given, facts.facts)
  const priced = useSwapPrices(revealed.given, facts.facts)
  useRerunOnChange(given, finishedRun(facts.facts), known?.blockNumber)
  const { nested, isPending: isFinding } = useNested(given, chainId)
  const isNaming = (named.isPending || revealed.isPending || priced.isPending) && !named.error && !revealed.error
  const isReadingChain = (state.isPending || facts.isPending || isFinding || isNaming) && !state.error && !isOffline
  const input = priced.given && { ...priced.given, ...facts.facts, nested }
  const result = useQuery({
    ...computedQuery('review', input, reviewInput),
    enabled: input !== null && !isReadingChain && !areListsPending && !proved.isLoading,
    placeholderData: keepPreviousData,
    refetchOnReconnect: isFailed,
  })
  return {
    review: result.data,
    state: state.data,
    facts: facts.facts,
    stateError: state.error,
    // Without what lists say, nobody knows whether a token is what it calls itself: there is no review.
    error: named.error ?? revealed.error ?? result.error,
    isReadingChain,
    isRunning: facts.isRunning,
    isOutdated: result.isPlaceholderData,
    isOffline,
    isPastUnread,
    retry: () => {
      void state.refetch()
      if (isPastUnread) void proved.refetch()
      facts.retry()
      named.retry()
      revealed.retry()
      if (result.error) void result.refetch()
    },
  }
}
