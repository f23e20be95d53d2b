import { isOfOneBlock, type NeededFact, neededFacts, type ReadFact } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import { ANEW } from '../api/query-client.ts'
import { approvingOf } from '../evidence/approvals/approving.ts'
import { awaitedRun, factQuery, prioritizeRun } from '../evidence/facts.ts'
import { addNamedTokens } from '../evidence/named-tokens.ts'
import type { HashSources } from '../evidence/proof/hash-sources.ts'
import { factsRead } from '../evidence/read-facts.ts'
import { addSwapPrices } from '../evidence/swap-prices.ts'
import { askWorker } from '../evidence/worker/ask-worker.ts'
import { holdBlock } from '../evidence/worker/hold-block.ts'
import { readSafe, safeStateQuery } from '../safe/safe-state.ts'
import { fail } from '../text/fail.ts'
import { collectNested } from './nested/collect-nested.ts'
import type { givenFor } from './review-context.ts'
import type { ReviewRequest } from './subject.ts'

type Context = { queryClient: QueryClient; sources: HashSources }
type GivenBy = (state: SafeState | null) => ReturnType<typeof givenFor>

/**
 * Reads a Safe, and everything that its chain says about what is reviewed, at the newest block. Facts of two blocks may each
 * be true and together show a Safe that never was.
 *
 * @param givenBy what is known of the subject, once the Safe is read and before that
 * @throws CountersignError `REVIEW_INCOMPLETE` where a block was replaced meanwhile, and another in the second try
 */
export async function readAtOneBlock(context: Context, request: ReviewRequest, givenBy: GivenBy) {
  for (let tries = 0; tries < 2; tries++) {
    const release = holdBlock(request.subject.chainId)
    try {
      const { read, ...around } = await readOnce(context, request, givenBy)
      if (isOfOneBlock(read)) return around
    } finally {
      // Before another try holds a block, which this would release.
      await release()
    }
  }
  throw fail('REVIEW_INCOMPLETE', { reason: 'blocks' })
}

async function readOnce(
  { queryClient, sources }: Context,
  { subject: { chainId, safeAddress } }: ReviewRequest,
  givenBy: GivenBy,
) {
  const ask = askOnce(sources, (query) => queryClient.fetchQuery({ ...query, staleTime: ANEW }))
  const newest = await askWorker('newestBlock', { chainId, sources }).catch(() => undefined)
  const { queryKey } = safeStateQuery(chainId, safeAddress)
  // Facts travel together with the question for the Safe: what is needed whatever it has become, and by how it was last seen.
  // Where it is another now, those that it needs are asked then.
  const last = queryClient.getQueryData<SafeState>(queryKey)
  const assumed = [null, last].filter((known) => known !== undefined)
  const named = await Promise.all(assumed.map((known) => addNamedTokens(queryClient, givenBy(known))))
  const expected = named.flatMap((known) => neededFacts(known).filter(({ id }) => id !== 'simulation'))
  const [state] = await Promise.all([readSafe(chainId, safeAddress, newest, last?.singleton), readAll(expected, ask)])
  queryClient.setQueryData(queryKey, state)
  const given = await addNamedTokens(queryClient, givenBy(state))
  const needed = neededFacts(given)
  const approving = approvingOf(given, sources)
  const key = awaitedRun(needed)
  const stopAwaiting = key === null ? () => {} : prioritizeRun(key)
  const [read, nested] = await Promise.all([
    readAll(needed, ask),
    approving ? collectNested(approving, { queryClient, isFresh: true }) : undefined,
  ]).finally(stopAwaiting)
  const facts = factsRead(needed, read, sources)
  const revealed = await addNamedTokens(queryClient, given, facts)
  return { state, given: await addSwapPrices(queryClient, revealed, facts), read, nested, facts }
}

type Ask = (needed: NeededFact) => Promise<ReadFact>

/** Reads all of them at once; undefined where one fails, which spoils no other. */
export async function readAll(needed: readonly NeededFact[], ask: Ask): Promise<(ReadFact | undefined)[]> {
  const read = await Promise.allSettled(needed.map(ask))
  return read.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
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
