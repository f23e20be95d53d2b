import {
  type Acknowledgement,
  demandsOf,
  type Facts,
  isClosed,
  meets,
  type SignedReview,
  type SubjectReview,
  stillOpen,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { configurationQuery } from '../../api/configuration.ts'
import { fetchAnew } from '../../api/query-client.ts'
import { serverNow } from '../../device/server-time.ts'
import { provedPayeesQuery } from '../../evidence/attribution/proved-payees.ts'
import type { ReviewLists } from '../../evidence/attribution/review-lists.ts'
import { messageQuery } from '../../safe/message-query.ts'
import type { Place } from '../../safe/queries.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { findingTitle } from '../../safe/words/finding-words.ts'
import { fail } from '../../text/fail.ts'
import { messageRequest } from '../message-request.ts'
import { reviewAtOneBlock } from '../review-at-one-block.ts'
import { givenFor } from '../review-context.ts'
import { assertPlace, hashMismatch, type ReviewRequest, transactionRequest } from '../subject.ts'
import { policyVersionOf, servePolicyAgain } from './check-policy-again.ts'

/** The review that a person has seen, by its hash, and the answers to it. */
export type Shown = { hash: Hex; acknowledgements: readonly Acknowledgement[] }

/** The review right before a signature, and the answer to each of its demands. */
export type CheckedAgain = {
  request: ReviewRequest
  review: SignedReview
  state: SafeState
  /** Facts that the review rests on. */
  facts: Facts
  /** The version of the team's policy that the review went by; null: none. */
  policyVersion: number | null
  acknowledgements: readonly Acknowledgement[]
}

/** Asks the server for it again. */
async function serveAgain(queryClient: QueryClient, place: Place, account: Address): Promise<ReviewRequest> {
  const { kind, chainId, hash } = place
  if (kind === 'message') {
    const served = await fetchAnew(queryClient, messageQuery(chainId, hash))
    assertPlace(place, { ...served, hash: served.safeMessageHash })
    return messageRequest(served, hash, account)
  }
  const served = await fetchAnew(queryClient, transactionQuery(chainId, hash))
  const request = transactionRequest(served, hash, account)
  if (!request) throw fail('REVIEW_INCOMPLETE', { reason: 'fields' })
  assertPlace(place, { ...served.transaction, hash: served.transaction.safeTxHash })
  return request
}

/**
 * Asks for everything again and reviews it anew, right before a signature: what was on screen may be old by now.
 *
 * @throws CountersignError `SAFE_TX_HASH_MISMATCH`, `MESSAGE_HASH_MISMATCH`, `REVIEW_REFUSED`, `REVIEW_INCOMPLETE`,
 *   `REVIEW_NOT_ACKNOWLEDGED`
 */
export async function checkAgain(
  queryClient: QueryClient,
  place: Place,
  by: { account: Address; lists: ReviewLists },
  shown: Shown,
): Promise<CheckedAgain> {
  return checkRequestAgain(queryClient, await serveAgain(queryClient, place, by.account), by.lists, shown)
}

/** Reviews anew what is not proposed yet. */
export async function checkRequestAgain(
  queryClient: QueryClient,
  request: ReviewRequest,
  known: ReviewLists,
  shown: Shown,
): Promise<CheckedAgain> {
  const lists = { ...known, ...(await servePolicyAgain(queryClient, request)) }
  const { chains } = await queryClient.ensureQueryData(configurationQuery)
  const around = { chainIds: chains.map((chain) => chain.chainId), now: serverNow(), isNow: true, maxBlocksBehind: 0 }
  const { state, given, review, facts } = await reviewAtOneBlock(queryClient, request, (state) => {
    const { queryKey } = provedPayeesQuery(request.subject, lists, state)
    // A payment that the page has not proved yet counts as none.
    return givenFor(request, state, { ...lists, provedPayees: queryClient.getQueryData(queryKey)?.payees }, around)
  })
  const acknowledgements = answersTo(review, request, shown)
  return { request, review, state, facts, policyVersion: policyVersionOf(given), acknowledgements }
}

/** The answer to each demand of the review as it is now; one that nothing answers refuses the signature. */
function answersTo(again: SignedReview, { subject }: ReviewRequest, shown: Shown): Acknowledgement[] {
  const { hash } = again
  if (hash !== shown.hash) throw fail(hashMismatch[subject.kind], { reason: 'reviewed', shown: shown.hash, now: hash })
  assertAnswered(again, shown)
  return demandsOf(again).flatMap(
    (demand) => shown.acknowledgements.find((acknowledgement) => meets(acknowledgement, demand)) ?? [],
  )
}

/**
 * Refuses a review that nothing opens, or that has a demand without an answer.
 *
 * @throws CountersignError `REVIEW_REFUSED`, `REVIEW_INCOMPLETE`, `REVIEW_NOT_ACKNOWLEDGED`
 */
export function assertAnswered(again: SubjectReview, shown: Pick<Shown, 'acknowledgements'>): void {
  const open = stillOpen(again, shown.acknowledgements)
  // As the page calls them: where several are executed, no review stands beside the error.
  const findings = [...new Set(open.map(({ finding }) => findingTitle(finding)))]
  if (isClosed(again) && again.verdict === 'do-not-sign') throw fail('REVIEW_REFUSED', { reason: 'findings', findings })
  if (isClosed(again)) {
    const unchecked = again.checks.filter(({ status }) => status !== 'passed').map(({ id }) => id)
    throw fail('REVIEW_INCOMPLETE', { reason: 'unchecked', checks: unchecked })
  }
  if (open.length > 0) throw fail('REVIEW_NOT_ACKNOWLEDGED', { reason: 'findings', findings })
}
