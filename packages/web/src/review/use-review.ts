import { toWire } from '@countersign/contract'
import {
  domainVersion,
  hashSafeTx,
  type Review,
  type ReviewInput,
  reviewSafeTx,
  type SafeState,
} from '@countersign/safe-core'
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../api/chain-client.ts'
import { computedQuery } from '../api/computed-query.ts'
import { safeStateQuery, useSafeState } from '../api/safe-state.ts'
import { fail } from '../text/fail.ts'
import { transactionQuery } from './queries.ts'
import {
  type ChainFacts,
  noChainFacts,
  type ReviewRequest,
  readChainFacts,
  reviewRequestOf,
  toReviewInput,
} from './review-facts.ts'
import { type ReviewLists, useReviewLists } from './review-lists.ts'
import {
  hasOpenAnswer,
  noSignatureFacts,
  onChainSignatures,
  readSignatureFacts,
  type SignatureFacts,
} from './signature-facts.ts'

const OPEN_ANSWER_MS = 10_000

/** What this page showed first under a link; whoever serves something else later is caught. */
const reviewedFirst = new Map<string, Hex>()

function placeOf({ chainId, safeAddress, claimedSafeTxHash }: ReviewRequest): string {
  return `${chainId} ${safeAddress} ${claimedSafeTxHash}`
}

function factsQuery(request: ReviewRequest) {
  return queryOptions({
    queryKey: ['chain-facts', request.chainId, request.safeAddress, JSON.stringify(toWire(request.safeTx))],
    queryFn: () => readChainFacts(chainRequest(request.chainId), request.safeAddress, request.safeTx),
    staleTime: 30_000,
  })
}

/** Asked only where a confirmation is of a kind that the chain alone can tell of. */
function signaturesQuery(request: ReviewRequest, state: SafeState) {
  const { chainId, safeAddress, safeTx } = request
  const version = domainVersion(state)
  const confirmations = onChainSignatures(request.confirmations)
  return queryOptions({
    queryKey: ['signature-facts', JSON.stringify(toWire({ chainId, safeAddress, version, safeTx, confirmations }))],
    queryFn: () => {
      if (confirmations.length === 0) return noSignatureFacts
      return readSignatureFacts(chainRequest(chainId), { chainId, safeAddress, version, safeTx }, confirmations)
    },
    staleTime: 30_000,
    // An owner that is a contract may answer later, and no event tells of it.
    refetchInterval: ({ state: { data } }) =>
      data && hasOpenAnswer(data.contractSignatures, data.approvedHashes) ? OPEN_ANSWER_MS : false,
  })
}

/** What `reviewedFirst` holds for this link. The first hash that is computed for it stays there. */
function shownFirst(request: ReviewRequest, state: SafeState | null): Hex | null {
  // Without the state the version is a guess, and so is the hash.
  if (request.claimedSafeTxHash === null || state === null) return null
  const place = placeOf(request)
  const known = reviewedFirst.get(place)
  if (known) return known
  const { chainId, safeAddress, safeTx } = request
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, safeTx, version: domainVersion(state) })
  reviewedFirst.set(place, safeTxHash)
  return safeTxHash
}

/** Everything that the review looks at. The block is no part of it: it changes all the time, and nothing else with it. */
function inputOf(
  request: ReviewRequest,
  state: SafeState | null,
  facts: ChainFacts,
  lists: ReviewLists,
  signatures: SignatureFacts,
): ReviewInput {
  const known = state && { ...state, blockNumber: 0n }
  return toReviewInput(request, known, facts, lists, signatures, shownFirst(request, state))
}

async function reviewInput(input: ReviewInput | null): Promise<Review> {
  if (!input) throw fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  return reviewSafeTx(input)
}

export type ReviewView = {
  review: Review | undefined
  state: SafeState | undefined
  facts: ChainFacts
  /** Why the Safe could not be read; the review then says `not checked`. */
  stateError: Error | null
  /** Why there is no review at all. */
  error: Error | null
  isReadingChain: boolean
  /** What is shown is the review of what was served before. */
  isOutdated: boolean
  isOffline: boolean
  retry: () => void
}

/** The review of a transaction, computed again whenever anything that it looks at changes. */
export function useReview(request: ReviewRequest | null, chainId: number, safeAddress: Address): ReviewView {
  const { lists, isPending: areListsPending } = useReviewLists(chainId, safeAddress)
  const state = useSafeState(chainId, safeAddress)
  const facts = useQuery(
    request
      ? { ...factsQuery(request), retry: 1 }
      : { queryKey: ['chain-facts', 'none'], queryFn: () => noChainFacts, enabled: false },
  )
  // A state that is old because reading fails now must not carry a signature.
  const known = state.error ? null : (state.data ?? null)
  const isOffline = state.fetchStatus === 'paused'
  const signatures = useQuery(
    request && known
      ? signaturesQuery(request, known)
      : { queryKey: ['signature-facts', 'none'], queryFn: () => noSignatureFacts, enabled: false },
  )
  const isReadingChain =
    (state.isPending || facts.isPending || (known !== null && signatures.isPending)) && !state.error && !isOffline
  const input =
    request && inputOf(request, known, facts.data ?? noChainFacts, lists, signatures.data ?? noSignatureFacts)
  const result = useQuery({
    ...computedQuery('review', input, reviewInput),
    enabled: input !== null && !isReadingChain && !areListsPending,
    placeholderData: keepPreviousData,
  })
  return {
    review: result.data,
    state: state.data,
    facts: facts.data ?? noChainFacts,
    stateError: state.error,
    error: result.error,
    isReadingChain,
    isOutdated: result.isPlaceholderData,
    isOffline,
    retry: () => {
      void state.refetch()
      void facts.refetch()
      void signatures.refetch()
    },
  }
}

export type CheckedAgain = { request: ReviewRequest; review: Review; state: SafeState }

/**
 * Asks for everything again and reviews it anew, right before a signature: what was on screen may be old by now.
 *
 * @param shownSafeTxHash the hash that the person has seen
 * @throws CountersignError `SAFE_TX_HASH_MISMATCH`, `REVIEW_REFUSED`, `REVIEW_INCOMPLETE`
 */
export async function checkAgain(
  queryClient: QueryClient,
  place: { chainId: number; safeAddress: Address; safeTxHash: Hex; account: Address; lists: ReviewLists },
  shownSafeTxHash: Hex,
): Promise<CheckedAgain> {
  const served = await queryClient.fetchQuery({ ...transactionQuery(place.chainId, place.safeTxHash), staleTime: 0 })
  const request = reviewRequestOf(served, place.safeTxHash, place.account)
  if (!request) throw fail('REVIEW_INCOMPLETE', { reason: 'fields' })
  if (served.transaction.safeTxHash !== place.safeTxHash)
    throw fail('SAFE_TX_HASH_MISMATCH', {
      reason: 'served',
      received: served.transaction.safeTxHash,
      expected: place.safeTxHash,
    })
  if (request.chainId !== place.chainId || request.safeAddress !== place.safeAddress)
    throw fail('REVIEW_REFUSED', { reason: 'other-safe', safeAddress: request.safeAddress })
  return checkRequestAgain(queryClient, request, place.lists, shownSafeTxHash)
}

/** The same for a transaction that is not proposed yet. */
export async function checkRequestAgain(
  queryClient: QueryClient,
  request: ReviewRequest,
  lists: ReviewLists,
  shownSafeTxHash: Hex,
): Promise<CheckedAgain> {
  const [state, facts] = await Promise.all([
    queryClient.fetchQuery({ ...safeStateQuery(request.chainId, request.safeAddress), staleTime: 0 }),
    queryClient.fetchQuery({ ...factsQuery(request), staleTime: 0 }),
  ])
  const signatures = await queryClient.fetchQuery({ ...signaturesQuery(request, state), staleTime: 0 })
  const again = await reviewInput(inputOf(request, state, facts, lists, signatures))
  if (again.hashes.safeTxHash !== shownSafeTxHash)
    throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'reviewed', shown: shownSafeTxHash, now: again.hashes.safeTxHash })
  if (again.verdict === 'do-not-sign')
    throw fail('REVIEW_REFUSED', { reason: 'findings', findings: criticalIds(again) })
  if (again.verdict !== 'matches') throw fail('REVIEW_INCOMPLETE', { reason: 'unchecked', checks: notChecked(again) })
  return { request, review: again, state }
}

function criticalIds(result: Review): string[] {
  return result.findings.filter(({ severity }) => severity === 'critical').map(({ id }) => id)
}

function notChecked(result: Review): string[] {
  return result.checks.filter(({ status }) => status !== 'passed').map(({ id }) => id)
}
