import {
  type Acknowledgement,
  demandsOf,
  type Facts,
  isClosed,
  meets,
  type NeededFact,
  neededFacts,
  type ReadFact,
  type SafeState,
  type SubjectReview,
  stillOpen,
} from '@countersign/safe-core'
import type { QueryClient } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { configurationQuery } from '../api/configuration.ts'
import { safeStateQuery } from '../api/safe-state.ts'
import { serverNow } from '../api/server-time.ts'
import { policyQuery, spentQuery } from '../api/team-policy.ts'
import { fail } from '../text/fail.ts'
import { givenFor, reviewInput } from './around.ts'
import { factQuery, factsRead } from './facts.ts'
import { approvingOf, collectNested } from './nested/collect-nested.ts'
import { type HashSources, readHashSources } from './proof/hash-sources.ts'
import { messageQuery, transactionQuery } from './queries.ts'
import { hasLimits, type ReviewLists } from './review-lists.ts'
import {
  assertPlace,
  hashMismatch,
  messageRequest,
  type Place,
  type ReviewRequest,
  transactionRequest,
} from './subject.ts'

/** The review that a person has seen, by its hash, and the answers to it. */
export type Shown = { hash: Hex; acknowledgements: readonly Acknowledgement[] }

/** The review right before a signature, and the answer to each of its demands. */
export type CheckedAgain = {
  request: ReviewRequest
  review: SubjectReview
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
    const served = await queryClient.fetchQuery({ ...messageQuery(chainId, hash), staleTime: 0 })
    assertPlace(place, { ...served, hash: served.safeMessageHash })
    return messageRequest(served, hash, account)
  }
  const served = await queryClient.fetchQuery({ ...transactionQuery(chainId, hash), staleTime: 0 })
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
  const { chainId, safeAddress } = request.subject
  const lists = { ...known, ...(await servePolicyAgain(queryClient, request)) }
  const { chains } = await queryClient.ensureQueryData(configurationQuery)
  const sources = readHashSources(chains, chainId)
  const ask = askOnce(sources, (query) => queryClient.fetchQuery({ ...query, staleTime: 0 }))
  const givenBy = (state: SafeState | null) => {
    const chainIds = chains.map((chain) => chain.chainId)
    return givenFor(request, state, lists, { chainIds, now: serverNow(), isNow: true })
  }
  // Facts that are needed whatever the Safe has become travel together with the question for the Safe.
  const [state] = await Promise.all([
    queryClient.fetchQuery({ ...safeStateQuery(chainId, safeAddress), staleTime: 0 }),
    readAll(neededFacts(givenBy(null)), ask),
  ])
  const given = givenBy(state)
  const needed = neededFacts(given)
  const approving = approvingOf(given, sources)
  const [read, nested] = await Promise.all([
    readAll(needed, ask),
    approving ? collectNested(approving, { queryClient, isFresh: true }) : undefined,
  ])
  const facts = factsRead(needed, read, sources)
  const again = await reviewInput({ ...given, ...facts, nested })
  const acknowledgements = answersTo(again, request, shown)
  return { request, review: again, state, facts, policyVersion: policyVersionOf(given), acknowledgements }
}

function policyVersionOf(given: ReturnType<typeof givenFor>): number | null {
  const policy = 'policy' in given ? given.policy : undefined
  return policy?.status === 'in-force' ? policy.policy.number : null
}

/** Asks for the policy, and for the sums that its limits need; what cannot be asked for is not there. */
async function servePolicyAgain(
  queryClient: QueryClient,
  { subject }: ReviewRequest,
): Promise<Pick<ReviewLists, 'policy' | 'spent'>> {
  const { chainId, safeAddress } = subject
  const ask = <Answer>(answer: Promise<Answer>) => answer.catch(() => null)
  const policy = await ask(queryClient.fetchQuery({ ...policyQuery(chainId, safeAddress), staleTime: 0 }))
  if (!hasLimits(policy)) return { policy, spent: undefined }
  const sums = spentQuery(chainId, safeAddress, subject.kind === 'transaction' ? subject.safeTx.nonce : null)
  return { policy, spent: (await ask(queryClient.fetchQuery({ ...sums, staleTime: 0 })))?.spent }
}

type Ask = (needed: NeededFact) => Promise<ReadFact>

/** Reads all of them at once; undefined where one fails, which spoils no other. */
async function readAll(needed: readonly NeededFact[], ask: Ask): Promise<(ReadFact | undefined)[]> {
  const read = await Promise.allSettled(needed.map(ask))
  return read.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
}

/** Asks for each fact once, however often it is needed. */
function askOnce(sources: HashSources, fetch: (query: ReturnType<typeof factQuery>) => Promise<ReadFact>): Ask {
  const asked = new Map<string, Promise<ReadFact>>()
  return (needed) => {
    const query = factQuery(needed, sources)
    const key = query.queryKey.join(' ')
    const before = asked.get(key)
    if (before) return before
    const answer = fetch(query)
    asked.set(key, answer)
    return answer
  }
}

/** The answer to each demand of the review as it is now; one that nothing answers refuses the signature. */
function answersTo(again: SubjectReview, { subject }: ReviewRequest, shown: Shown): Acknowledgement[] {
  const { hash } = again
  if (hash !== shown.hash) throw fail(hashMismatch[subject.kind], { reason: 'reviewed', shown: shown.hash, now: hash })
  const open = stillOpen(again, shown.acknowledgements)
  const findings = open.map(({ finding }) => finding.id)
  if (isClosed(again) && again.verdict === 'do-not-sign') throw fail('REVIEW_REFUSED', { reason: 'findings', findings })
  if (isClosed(again)) {
    const unchecked = again.checks.filter(({ status }) => status !== 'passed').map(({ id }) => id)
    throw fail('REVIEW_INCOMPLETE', { reason: 'unchecked', checks: unchecked })
  }
  if (open.length > 0) throw fail('REVIEW_NOT_ACKNOWLEDGED', { reason: 'findings', findings })
  return demandsOf(again).flatMap(
    (demand) => shown.acknowledgements.find((acknowledgement) => meets(acknowledgement, demand)) ?? [],
  )
}
