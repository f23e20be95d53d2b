import type { CreationSubject, Facts, Given, ReviewInput } from '@countersign/review'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { configurationQuery, useChains } from '../api/configuration.ts'
import { serverNow } from '../device/server-time.ts'
import { fetchReviewSettings, useReviewSettings } from '../evidence/review-settings.ts'
import { askReviewAgain, reviewQuery } from '../evidence/worker/ask-review.ts'
import { holdBlock } from '../evidence/worker/ask-worker.ts'
import type { ReviewQuestion, ReviewSettings } from '../evidence/worker/calls.ts'
import { fail } from '../text/fail.ts'
import { assertAnswered, type Shown } from './sign/check-again.ts'

const noFacts: Facts = {}
const DAY_MS = 86_400_000

/** A Safe that is to be created, by whom, and the accounts that this person has named. */
export type CreationRequest = {
  subject: CreationSubject
  account: Address | null
  named: readonly Address[]
}

function givenOf({ subject, account, named }: CreationRequest, chainIds: readonly number[]): Given<CreationSubject> {
  const none: Pick<ReviewInput, 'confirmations' | 'others' | 'tokens'> = { confirmations: [], others: [], tokens: [] }
  const now = Math.floor(serverNow() / DAY_MS) * DAY_MS
  return { ...subject, ...none, state: null, claimedHash: null, origin: null, account, familiar: named, chainIds, now }
}

/** A creation moves no assets, so it needs no token lists and no prices. */
function questionOf(
  request: CreationRequest,
  chainIds: readonly number[],
  { sources }: Pick<ReviewSettings, 'sources'>,
): ReviewQuestion<CreationSubject> {
  return { given: givenOf(request, chainIds), nested: undefined, sources, listRevision: null, currency: null }
}

/** The review of a Safe that is to be created, computed again whenever anything that it looks at changes. */
export function useCreationReview(request: CreationRequest) {
  const chainIds = useChains().map(({ chainId }) => chainId)
  const settings = useReviewSettings(request.subject.chainId)
  const result = useQuery({
    ...reviewQuery(questionOf(request, chainIds, settings)),
    placeholderData: keepPreviousData,
  })
  return {
    review: result.data?.review,
    error: result.error,
    facts: result.data?.facts ?? noFacts,
    isOutdated: result.isPlaceholderData,
    retry: () => void result.refetch(),
  }
}

/**
 * Asks the chain for everything again, right before the wallet is asked.
 *
 * @throws CountersignError `REVIEW_REFUSED`, `REVIEW_INCOMPLETE`, `REVIEW_NOT_ACKNOWLEDGED`
 */
export async function checkCreationAgain(
  queryClient: QueryClient,
  request: CreationRequest,
  shown: Pick<Shown, 'acknowledgements'>,
): Promise<void> {
  const { chainId } = request.subject
  const { chains } = await queryClient.ensureQueryData(configurationQuery)
  const settings = await fetchReviewSettings(queryClient, chainId)
  const chainIds = chains.map((chain) => chain.chainId)
  const release = holdBlock(chainId)
  const question = questionOf(request, chainIds, settings)
  const { review, isOfOneBlock } = await askReviewAgain(queryClient, question).finally(release)
  if (!isOfOneBlock) throw fail('REVIEW_INCOMPLETE', { reason: 'blocks' })
  assertAnswered(review, shown)
}
