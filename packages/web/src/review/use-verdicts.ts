import type { Given, SignedSubject, SpentAmount } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Address, Hex } from 'viem'
import { useChains } from '../api/configuration.ts'
import { serverNow } from '../device/server-time.ts'
import { approvingOf } from '../evidence/approvals/approving.ts'
import { hasLimits, type ReviewLists, useReviewLists } from '../evidence/attribution/review-lists.ts'
import { useReviewSettings } from '../evidence/review-settings.ts'
import { verdictQuery } from '../evidence/worker/ask-review.ts'
import { startWorker } from '../evidence/worker/ask-worker.ts'
import { MAX_REVIEWED } from '../safe/proposals.ts'
import type { VerdictSummary } from '../safe/words/verdict-summary.ts'
import { nestedQuery } from './nested/use-nested.ts'
import { givenFor } from './review-context.ts'
import type { ReviewRequest, TransactionRequest } from './subject.ts'

/**
 * Why something of a list gets no review there: the Safe, or what the server says of it, cannot be read; its fields are not
 * known; too much comes before it; or the review failed.
 */
export type Unreviewed = 'state' | 'claims' | 'fields' | 'many' | 'failed'

/**
 * `request` null: too little is known to say as much as its page; `why` where that will not change by waiting. `spent`: beside
 * its nonce, for amount limits.
 */
export type Listed<Request extends ReviewRequest = TransactionRequest> = {
  hash: Hex
  request: Request | null
  why?: Unreviewed | undefined
  spent: readonly SpentAmount[]
}

/** Gives the review of one of a list all that its page gives it. Null: the list says nothing of it. */
export function givenOfListed(
  { request, spent }: Listed<ReviewRequest>,
  state: SafeState,
  lists: ReviewLists,
  around: { chainIds: readonly number[]; now: number; maxBlocksBehind: number },
): Given<SignedSubject> | null {
  // A message has no nonce to leave out: the sums of the lists are its own.
  const ofRequest = request?.subject.kind === 'message' ? lists.spent : spent
  const sums = hasLimits(lists.policy) ? ofRequest : undefined
  return request && givenFor(request, state, { ...lists, spent: sums }, around)
}

/** Verdicts of a list, and why others have none; what is in neither is being reviewed. */
export type ListedVerdicts = {
  verdicts: ReadonlyMap<string, VerdictSummary>
  unreviewed: ReadonlyMap<string, Unreviewed>
}

/** Says of everything in a list that gets no review why, whatever the chain answers. */
export function unreviewedOf(
  listed: readonly Listed<ReviewRequest>[],
  isStateUnread: boolean,
): Map<string, Unreviewed> {
  return new Map(
    listed.flatMap(({ hash, request, why }, index) => {
      const found = isStateUnread ? 'state' : (why ?? (request !== null && index >= MAX_REVIEWED ? 'many' : undefined))
      return found === undefined ? [] : [[hash, found] as const]
    }),
  )
}

/**
 * The verdicts of a list, by the same review over the same facts as on the page of each.
 *
 * @param listed stays the same object until the list changes
 * @param isStateUnread the Safe could not be read: nothing is reviewed
 */
export function useVerdicts(
  listed: readonly Listed<ReviewRequest>[],
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  state: SafeState | undefined,
  isStateUnread: boolean,
): ListedVerdicts {
  const { lists, isPending } = useReviewLists(chainId, safeAddress, listed[0]?.request?.subject.kind)
  const chains = useChains()
  const settings = useReviewSettings(chainId)
  const isAsking = listed.length > 0
  useEffect(() => {
    if (isAsking) startWorker()
  }, [isAsking])
  const asked = useMemo(() => {
    if (!state || isPending) return []
    const { maxBlocksBehind } = settings.sources
    const around = { chainIds: chains.map((chain) => chain.chainId), now: serverNow(), maxBlocksBehind }
    return listed.slice(0, MAX_REVIEWED).flatMap((transaction) => {
      const given = givenOfListed(transaction, state, lists, around)
      if (given === null) return []
      const question = { given, ...settings }
      const approving = approvingOf(given, settings.sources)
      const row = { hash: transaction.hash, question, nested: approving && nestedQuery(approving) }
      // Computed here, because the key is long and changes only with the list.
      return [{ ...row, query: approving ? null : verdictQuery({ ...question, nested: undefined }) }]
    })
  }, [listed, state, isPending, lists, chains, settings])
  const nestedQueries = new Map(asked.flatMap(({ nested }) => (nested ? [[keyOf(nested), nested] as const] : [])))
  const answers = useQueries({ queries: [...nestedQueries.values()] })
  const nestedOf = new Map([...nestedQueries.keys()].map((key, index) => [key, answers[index]]))
  const ready = asked.flatMap(({ hash, question, nested, query }) => {
    const found = nested ? nestedOf.get(keyOf(nested)) : undefined
    return found?.isPending ? [] : [{ hash, query: query ?? verdictQuery({ ...question, nested: found?.data }) }]
  })
  const results = useQueries({ queries: ready.map(({ query }) => query) })
  const verdicts = new Map<string, VerdictSummary>()
  const unreviewed = unreviewedOf(listed, isStateUnread)
  for (const [index, { hash }] of ready.entries()) {
    const { data, error } = results[index] ?? {}
    if (error) unreviewed.set(hash, 'failed')
    else if (data) verdicts.set(hash, data.summary)
  }
  return { verdicts, unreviewed }
}

function keyOf({ queryKey }: { queryKey: readonly unknown[] }): string {
  return queryKey.join(' ')
}
