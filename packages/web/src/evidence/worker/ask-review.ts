import { hashCreation, hashSubject, type Subject } from '@countersign/review'
import type { CountersignError } from '@countersign/safe'
import type { QueryClient, QueryState } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { fail } from '../../text/fail.ts'
import { askAgainAfter, askAgainOnline } from '../ask-again.ts'
import { askWorker } from './ask-worker.ts'
import type { JudgedSubject, RefetchReasons, ReviewedSubject, ReviewQuestion } from './calls.ts'

/** The Worker also keeps facts for 15 seconds, so facts under a fresh answer are at most 30 seconds old. */
const STALE_MS = 15_000
/** No event reports changes of a Safe that the account cannot see. */
const NESTED_MS = 30_000

/** Queries the review of a subject, and refetches it when its facts may have changed. Null if there is nothing to review. */
export function reviewQuery<Of extends Subject>(question: ReviewQuestion<Of> | null) {
  return {
    ...computedQuery('review', question, fetchReview),
    ...refetchOptions(question),
    // Comparing the thousands of values of a simulation would take too long.
    structuralSharing: false,
  }
}

/** Queries the verdict on a subject in a list. */
export function verdictQuery(question: ReviewQuestion) {
  return { ...computedQuery('verdict', question, fetchVerdict), ...refetchOptions(question) }
}

/**
 * Has the Worker review a subject, and compares the hash that it reviewed with the one that this page computes.
 *
 * @throws CountersignError `SAFE_TX_HASH_MISMATCH`, `MESSAGE_HASH_MISMATCH`, `REVIEW_INCOMPLETE` if the
 *   Worker reviewed another subject; errors of the Worker
 */
export async function askReview<Of extends Subject>(question: ReviewQuestion<Of>): Promise<ReviewedSubject<Of>> {
  const reviewed = await askWorker('review', question)
  const { kind, hash } = reviewed.review
  const expected = hashOf(question)
  if (kind !== question.given.kind || (expected !== null && hash !== expected))
    throw mismatchError(question.given.kind, { expected: expected ?? '', received: hash })
  return reviewed as ReviewedSubject<Of>
}

/**
 * Reviews a subject right before it is signed or sent. Stores the answer in the query, so that a page of the same subject shows it
 * without asking again.
 *
 * @throws CountersignError as `askReview`
 */
export async function askReviewAgain<Of extends Subject>(
  queryClient: QueryClient,
  question: ReviewQuestion<Of>,
): Promise<ReviewedSubject<Of>> {
  const reviewed = await askReview(question)
  queryClient.setQueryData(reviewQuery(question).queryKey, reviewed)
  return reviewed
}

/** Computes the hash of a subject. Null if its Safe is not known: its version is then a guess, and nothing can be signed. */
function hashOf({ given }: ReviewQuestion) {
  if (given.kind === 'creation') return hashCreation(given)
  return given.state === null ? null : hashSubject(given, given.state).hash
}

function mismatchError(kind: Subject['kind'], hashes: { expected: string; received: string }): CountersignError {
  if (kind === 'creation') return fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  return kind === 'transaction'
    ? fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', ...hashes })
    : fail('MESSAGE_HASH_MISMATCH', { reason: 'computed', ...hashes })
}

async function fetchReview<Of extends Subject>(question: ReviewQuestion<Of> | null): Promise<ReviewedSubject<Of>> {
  if (question === null) throw fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  return askReview(question)
}

function fetchVerdict(question: ReviewQuestion): Promise<JudgedSubject> {
  return askWorker('judge', question)
}

function refetchOptions(question: ReviewQuestion | null) {
  const isNested = (question?.nested?.length ?? 0) > 0
  return {
    staleTime: STALE_MS,
    refetchInterval: ({ state }: { state: QueryState<RefetchReasons> }) =>
      askAgainAfter(state) || (isNested && NESTED_MS),
    refetchOnReconnect: askAgainOnline,
  }
}
