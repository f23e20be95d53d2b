import {
  type CreationInput,
  type CreationReview,
  type CreationSubject,
  type Given,
  isOfOneBlock,
  type NeededFact,
  neededFacts,
  type ReviewInput,
  reviewCreation,
} from '@countersign/review'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { computedQuery } from '../api/computed-query.ts'
import { configurationQuery, useChains } from '../api/configuration.ts'
import { ANEW } from '../api/query-client.ts'
import { serverNow } from '../device/server-time.ts'
import { isFailed } from '../evidence/ask-again.ts'
import { factQuery, useFacts } from '../evidence/facts.ts'
import { readHashSources } from '../evidence/proof/hash-sources.ts'
import { factsRead } from '../evidence/read-facts.ts'
import { holdBlock } from '../evidence/worker/hold-block.ts'
import { fail } from '../text/fail.ts'
import { loadReview } from './load-review.ts'
import { readAll } from './read-at-one-block.ts'
import { assertAnswered, type Shown } from './sign/check-again.ts'

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

async function review(input: CreationInput | null): Promise<CreationReview> {
  if (!input) throw fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  await loadReview(input.kind)
  return reviewCreation(input)
}

/** The review of a Safe that is to be created, computed again whenever anything that it looks at changes. */
export function useCreationReview(request: CreationRequest) {
  const chainIds = useChains().map(({ chainId }) => chainId)
  const given = givenOf(request, chainIds)
  const facts = useFacts(given, request.subject.chainId)
  const result = useQuery({
    ...computedQuery('creation-review', { ...given, ...facts.facts }, review),
    enabled: !facts.isPending,
    placeholderData: keepPreviousData,
    refetchOnReconnect: isFailed,
  })
  return {
    review: result.data,
    error: result.error,
    facts: facts.facts,
    isOutdated: result.isPlaceholderData || facts.isPending,
    retry: () => {
      facts.retry()
      if (result.error) void result.refetch()
    },
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
  const { chains } = await queryClient.ensureQueryData(configurationQuery)
  const { chainId } = request.subject
  const sources = readHashSources(chains, chainId)
  const given = givenOf(
    request,
    chains.map((chain) => chain.chainId),
  )
  const needed = neededFacts(given)
  const release = holdBlock(chainId)
  const ask = (one: NeededFact) => queryClient.fetchQuery({ ...factQuery(one, sources), staleTime: ANEW })
  const read = await readAll(needed, ask).finally(release)
  if (!isOfOneBlock(read)) throw fail('REVIEW_INCOMPLETE', { reason: 'blocks' })
  assertAnswered(await reviewCreation({ ...given, ...factsRead(needed, read, sources) }), shown)
}
