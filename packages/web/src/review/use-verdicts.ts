import type { ListedToken } from '@countersign/contract'
import { type Given, neededFacts, reviewSubject, type SpentAmount, type SubjectInput } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address, Hex } from 'viem'
import { computedQuery } from '../api/computed-query.ts'
import { useChains, useConfiguration } from '../api/configuration.ts'
import { serverNow } from '../device/server-time.ts'
import { approvingOf } from '../evidence/approvals/approving.ts'
import { hasLimits, type ReviewLists, useReviewLists } from '../evidence/attribution/review-lists.ts'
import { factQuery, factsRead } from '../evidence/facts.ts'
import { namedTokensQuery } from '../evidence/named-tokens.ts'
import { useHashSources } from '../evidence/proof/hash-sources.ts'
import { swapPricesQuery, withPrices } from '../evidence/swap-prices.ts'
import { MAX_REVIEWED } from '../safe/proposals.ts'
import { summarizeVerdict, type VerdictSummary } from '../safe/words/verdict-words.ts'
import { withListed } from '../safe/worth/listed-tokens.ts'
import { isFailed, loadReview } from './load-review.ts'
import { nestedQuery } from './nested/use-nested.ts'
import { givenFor } from './review-context.ts'
import type { ReviewRequest, TransactionRequest } from './subject.ts'

const MINUTE_MS = 60_000

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
): Given | null {
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
  const { currency } = useConfiguration()
  const sources = useHashSources(chainId)
  const listRevision = chains.find((one) => one.chainId === chainId)?.listRevision ?? null
  const chain = useMemo(() => ({ chainId, listRevision }), [chainId, listRevision])
  const asked = useMemo(() => {
    if (!state || isPending) return []
    const now = Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS
    const { maxBlocksBehind } = sources
    const around = { chainIds: chains.map((chain) => chain.chainId), now, maxBlocksBehind }
    return listed.slice(0, MAX_REVIEWED).flatMap((transaction) => {
      const given = givenOfListed(transaction, state, lists, around)
      return given ? [{ hash: transaction.hash, given }] : []
    })
  }, [listed, state, isPending, lists, chains, sources])
  const questions = useMemo(() => asked.map(({ given }) => namedTokensQuery(chain, given)), [asked, chain])
  const named = useQueries({ queries: questions, combine: answersOf })
  const rows = useMemo(
    () =>
      asked.flatMap(({ hash, given: unnamed }, at) => {
        const found = named[at]?.data
        if (found === undefined && questions[at]?.enabled === true) return []
        const given = { ...unnamed, tokens: withListed(unnamed.tokens, found) }
        const needed = neededFacts(given).map((fact) => ({ fact, query: factQuery(fact, sources) }))
        const approving = approvingOf(given, sources)
        return [{ hash, given, needed, approved: approving && nestedQuery(approving) }]
      }),
    [asked, questions, named, sources],
  )
  const queries = new Map(rows.flatMap(({ needed }) => needed.map(({ query }) => [keyOf(query), query] as const)))
  const answers = useQueries({ queries: [...queries.values()] })
  const answerOf = new Map([...queries.keys()].map((key, index) => [key, answers[index]]))
  const approved = new Map(rows.flatMap((row) => (row.approved ? [[keyOf(row.approved), row.approved] as const] : [])))
  const nestedAnswers = useQueries({ queries: [...approved.values()] })
  const nestedOf = new Map([...approved.keys()].map((key, index) => [key, nestedAnswers[index]]))
  const read = rows.flatMap(({ hash, given, needed, approved: ofRow }) => {
    const nested = ofRow === null ? undefined : nestedOf.get(keyOf(ofRow))
    if (nested?.isPending) return []
    const found = needed.map(({ query }) => answerOf.get(keyOf(query)))
    if (found.some((answer) => answer?.isPending !== false)) return []
    const facts = factsRead(
      needed.map(({ fact }) => fact),
      found.map((answer) => answer?.data),
      sources,
    )
    return [{ hash, given, facts, nested: nested?.data }]
  })
  const questionsThen = read.map(({ given, facts }) => namedTokensQuery(chain, given, facts))
  const revealed = useQueries({ queries: questionsThen, combine: answersOf })
  const known = read.flatMap(({ hash, given, facts, nested }, at) => {
    const found = revealed[at]?.data
    if (found === undefined && questionsThen[at]?.enabled === true) return []
    return [{ hash, given: { ...given, tokens: withListed(given.tokens, found) }, facts, nested }]
  })
  const asks = known.map(({ given, facts }) => swapPricesQuery(currency, given, facts))
  const prices = useQueries({ queries: asks })
  const ready = known.flatMap(({ hash, given, facts, nested }, at) => {
    if (asks[at]?.enabled === true && prices[at]?.isPending === true) return []
    return [{ hash, input: { ...withPrices(given, prices[at]?.data), ...facts, nested } as SubjectInput }]
  })
  const results = useQueries({
    queries: ready.map(({ input }) => ({
      ...computedQuery('verdict', input, verdictOf),
      refetchOnReconnect: isFailed,
    })),
  })
  const verdicts = new Map<string, VerdictSummary>()
  const unreviewed = unreviewedOf(listed, isStateUnread)
  for (const [index, { hash }] of ready.entries()) {
    const { data, error } = results[index] ?? {}
    if (data) verdicts.set(hash, data)
    else if (error) unreviewed.set(hash, 'failed')
  }
  for (const [at, { hash }] of asked.entries()) if (named[at]?.hasFailed) unreviewed.set(hash, 'failed')
  for (const [at, { hash }] of read.entries()) if (revealed[at]?.hasFailed) unreviewed.set(hash, 'failed')
  return { verdicts, unreviewed }
}

/** Answers about tokens. The same object while they are the same. */
function answersOf(answers: readonly { data: ListedToken[] | undefined; error: Error | null }[]) {
  return answers.map(({ data, error }) => ({ data, hasFailed: data === undefined && error !== null }))
}

function keyOf({ queryKey }: { queryKey: readonly unknown[] }): string {
  return queryKey.join(' ')
}

async function verdictOf(input: SubjectInput): Promise<VerdictSummary> {
  // Recovering signatures takes time: the page is drawn between two of them.
  await new Promise((resolve) => setTimeout(resolve, 0))
  await loadReview(input.kind)
  return summarizeVerdict(await reviewSubject(input))
}
