import { hashCreation, hashSubject, type Subject } from '@countersign/review'
import type { CountersignError } from '@countersign/safe'
import type { QueryClient, QueryState } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { fail } from '../../text/fail.ts'
import { askAgainAfter, isFailed } from '../ask-again.ts'
import { askWorker } from './ask-worker.ts'
import type { JudgedSubject, RefetchReasons, ReviewedSubject, ReviewQuestion } from './calls.ts'

/** The Worker also keeps facts for 15 seconds, so facts under a fresh answer are at most 30 seconds old. */
const STALE_MS = 15_000
/** No event tells what happens in a Safe that the reader does not see. */
const NESTED_MS = 30_000

/** The review of a subject, asked for again as its facts may change. Null: there is nothing to review. */
export function reviewQuery<Of extends Subject>(question: ReviewQuestion<Of> | null) {
  return {
    ...computedQuery('review', question, reviewKnown),
    ...askedAgain(question),
    // A run has thousands of parts.
    structuralSharing: false,
  }
}

/** The verdict on a subject of a list. */
export function verdictQuery(question: ReviewQuestion) {
  return { ...computedQuery('verdict', question, judgeKnown), ...askedAgain(question) }
}

/**
 * Has the Worker review a subject, and compares the hash that it reviewed with the one that this page computes.
 *
 * @throws CountersignError `SAFE_TX_HASH_MISMATCH`, `MESSAGE_HASH_MISMATCH`, `REVIEW_INCOMPLETE` for another subject; what the
 *   Worker throws
 */
export async function askReview<Of extends Subject>(question: ReviewQuestion<Of>): Promise<ReviewedSubject<Of>> {
  const reviewed = await askWorker('review', question)
  const { kind, hash } = reviewed.review
  const expected = hashOf(question)
  if (kind !== question.given.kind || (expected !== null && hash !== expected))
    throw otherSubject(question.given.kind, { expected: expected ?? '', received: hash })
  return reviewed as ReviewedSubject<Of>
}

/**
 * Asks right before something is signed or sent. A page that shows the same subject takes the answer at once: it would otherwise
 * ask for it too, and be outdated until then.
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

/** Computes the hash of a subject. Null without its Safe: the version is a guess, and nobody signs by such a review. */
function hashOf({ given }: ReviewQuestion) {
  if (given.kind === 'creation') return hashCreation(given)
  return given.state === null ? null : hashSubject(given, given.state).hash
}

function otherSubject(kind: Subject['kind'], hashes: { expected: string; received: string }): CountersignError {
  if (kind === 'creation') return fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  return kind === 'transaction'
    ? fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', ...hashes })
    : fail('MESSAGE_HASH_MISMATCH', { reason: 'computed', ...hashes })
}

async function reviewKnown<Of extends Subject>(question: ReviewQuestion<Of> | null): Promise<ReviewedSubject<Of>> {
  if (question === null) throw fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  return askReview(question)
}

function judgeKnown(question: ReviewQuestion): Promise<JudgedSubject> {
  return askWorker('judge', question)
}

function askedAgain(question: ReviewQuestion | null) {
  const isNested = (question?.nested?.length ?? 0) > 0
  return {
    staleTime: STALE_MS,
    refetchInterval: ({ state }: { state: QueryState<RefetchReasons> }) =>
      askAgainAfter(state) || (isNested && NESTED_MS),
    refetchOnReconnect: isFailed,
  }
}
