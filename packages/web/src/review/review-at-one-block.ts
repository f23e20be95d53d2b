import type { Given, SignedSubject } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import { approvingOf } from '../evidence/approvals/approving.ts'
import { fetchReviewSettings } from '../evidence/review-settings.ts'
import { askReviewAgain } from '../evidence/worker/ask-review.ts'
import { askWorker, holdBlock } from '../evidence/worker/ask-worker.ts'
import type { ReviewSettings } from '../evidence/worker/calls.ts'
import { readSafe, safeStateQuery } from '../safe/safe-state.ts'
import { fail } from '../text/fail.ts'
import { collectNested } from './nested/collect-nested.ts'
import type { ReviewRequest } from './subject.ts'

type GivenBy = (state: SafeState | null) => Given<SignedSubject>

/**
 * Reads a Safe and reviews a subject at the newest block. Facts of two blocks may each be true and together show a state that the
 * Safe never had.
 *
 * @param givenBy returns the input of the review for a state of the Safe
 * @throws CountersignError `REVIEW_INCOMPLETE` if a block was replaced meanwhile, and again in the second try
 */
export async function reviewAtOneBlock(queryClient: QueryClient, request: ReviewRequest, givenBy: GivenBy) {
  const settings = await fetchReviewSettings(queryClient, request.subject.chainId)
  for (let tries = 0; tries < 2; tries++) {
    const release = holdBlock(request.subject.chainId)
    try {
      const { isOfOneBlock, ...reviewed } = await reviewOnce(queryClient, settings, request, givenBy)
      if (isOfOneBlock) return reviewed
    } finally {
      // Released before a second try holds a block, because this would release that one.
      await release()
    }
  }
  throw fail('REVIEW_INCOMPLETE', { reason: 'blocks' })
}

async function reviewOnce(
  queryClient: QueryClient,
  settings: ReviewSettings,
  { subject: { chainId, safeAddress } }: ReviewRequest,
  givenBy: GivenBy,
) {
  const { sources } = settings
  const newest = await askWorker('newestBlock', { chainId, sources }).catch(() => undefined)
  const { queryKey } = safeStateQuery(chainId, safeAddress)
  const last = queryClient.getQueryData<SafeState>(queryKey)
  // One request asks for the Safe and for the facts that its last known state needs. The simulation waits for the Safe.
  for (const known of last === undefined ? [null] : [null, last]) {
    const given = { ...givenBy(known), blockNumber: undefined }
    askWorker('readAhead', { ...settings, given, nested: undefined }).catch(() => {})
  }
  const state = await readSafe(chainId, safeAddress, newest, last?.singleton)
  queryClient.setQueryData(queryKey, state)
  const given = givenBy(state)
  const approving = approvingOf(given, sources)
  if (approving) askWorker('readAhead', { ...settings, given, nested: undefined }).catch(() => {})
  const nested = approving ? await collectNested(approving, { queryClient, isFresh: true }) : undefined
  const { review, facts, isOfOneBlock } = await askReviewAgain(queryClient, { ...settings, given, nested })
  return { state, given, review, facts, isOfOneBlock }
}
