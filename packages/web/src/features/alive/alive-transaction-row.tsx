import type { AliveTransaction, Review } from '@countersign/review'
import { isCancellation, isSameAddress, type SafeState } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { type TransactionRequest, transactionRequest } from '../../review/subject.ts'
import { useReview } from '../../review/use-review.ts'
import type { Listed } from '../../review/use-verdicts.ts'
import type { Names } from '../../safe/names/names.ts'
import { useNamesOf } from '../../safe/names/primary-names.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { effectSentence } from '../../safe/words/effect-sentence.ts'
import { Sentence } from '../../safe/words/sentence.tsx'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { verdictTitle } from '../../safe/words/verdict-words.ts'
import { QueryProblem } from '../../ui/problem.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { ReachView } from './reach.tsx'
import { text } from './text.ts'
import type { Alive, VerifiedTransaction } from './use-alive.ts'
import { WaysView } from './ways-view.tsx'

type Entry = AliveTransaction<VerifiedTransaction>

const tones = {
  'do-not-sign': 'danger',
  'cannot-verify': 'warning',
  'matches-with-warnings': 'warning',
  matches: 'good',
} as const

/** One transaction that can still be executed: what it does, what its review says, and how far its signatures reach. */
export function AliveTransactionRow({
  entry,
  alive,
  names: known,
  ...around
}: Around & { entry: Entry; alive: Alive; names: Names }) {
  const { signed, subject, confirmations } = entry.transaction
  const { chainId, safeAddress, safeTx } = subject
  const names = useNamesOf(safeTx, known, chainId)
  const { review, error, retry } = useEntryReview(entry, around, names)
  const [effect, ...others] = review?.effects ?? []
  return (
    <article data-alive={signed.hash} className="grid gap-2">
      <p className="font-semibold wrap-anywhere">{transactionTitle(safeTx, names)}</p>
      <p className="flex flex-wrap items-center gap-2" data-verdict={review?.verdict}>
        {error === null && <VerdictTag review={review} />}
        {signed.isDeleted && <Tag tone="warning">{text('alive.deleted')}</Tag>}
      </p>
      {error && <QueryProblem error={error} onRetry={retry} />}
      {signed.isDeleted && <p className="text-small text-ink-soft">{text('alive.deleted.sentence')}</p>}
      <ReachView reach={entry} waits={entry.waits} confirmations={confirmations} names={names} />
      <WaysView ways={alive.together.ways[signed.hash]} alive={alive} names={names} />
      {(effect || (!review && error === null)) && (
        // The line is kept for an effect that is not known yet, so that nothing below moves.
        <p className="min-h-lh text-small text-ink-soft wrap-anywhere">
          {effect && <Sentence parts={effectSentence(effect, names)} names={names} />}{' '}
          {others.length > 0 && text('alive.effects.more', { count: others.length })}
        </p>
      )}
      {!signed.isDeleted && (
        <p>
          <TextLink
            look="action"
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash: signed.hash }}
          >
            {text('alive.open')}
          </TextLink>
        </p>
      )}
    </article>
  )
}

type Around = {
  /** The queue's answer for each; null while it is missing. */
  listed: readonly Listed[] | null
  /** Everything that is alive at its nonce. */
  sameNonce: readonly Entry[]
  state: SafeState
}

function useEntryReview(entry: Entry, { listed, sameNonce, state }: Around, names: Names) {
  const { signed, subject } = entry.transaction
  const served = useServedRequest(entry, listed, names)
  // A deleted one has no page: what is known is what accounts signed.
  const request = signed.isDeleted ? requestOf(entry, sameNonce, state, names) : served.request
  const view = useReview(request, subject.chainId, subject.safeAddress)
  const error = served.error ?? view.error
  const review = error === null && view.review?.kind === 'transaction' ? view.review : undefined
  return { review, error, retry: served.error ? served.retry : view.retry }
}

function VerdictTag({ review }: { review: Review | undefined }) {
  if (!review) return <span className="text-small text-ink-soft">{text('alive.reviewing')}</span>
  return <Tag tone={tones[review.verdict]}>{verdictTitle(summarizeVerdict(review))}</Tag>
}

/**
 * Finds the request that its own page reviews: in the queue's answer for all; a transaction outside of the queue is
 * asked for alone.
 */
function useServedRequest(
  { transaction: { signed, subject } }: Entry,
  listed: readonly Listed[] | null,
  { account }: Names,
): { request: TransactionRequest | null; error: Error | null; retry: () => void } {
  const queued = listed?.find(({ hash }) => hash === signed.hash)?.request
  const alone = useQuery({
    ...transactionQuery(subject.chainId, signed.hash),
    enabled: listed !== null && !queued && !signed.isDeleted,
  })
  const retry = () => void alone.refetch()
  if (queued) return { request: queued, error: null, retry }
  const served = alone.data && !alone.error ? transactionRequest(alone.data, signed.hash, account) : null
  return { request: served && { ...served, subject }, error: alone.error, retry }
}

/** A deleted one, over what is alive: signatures of former owners are told beside it. */
function requestOf(
  { transaction }: Entry,
  sameNonce: readonly Entry[],
  { owners }: SafeState,
  { account, safeAddress }: Names,
): TransactionRequest {
  const ofOwners = (verified: VerifiedTransaction) =>
    verified.confirmations
      .filter(({ owner }) => owners.some((current) => isSameAddress(current, owner)))
      .map(({ owner, signature }) => ({ owner, signature }))
  return {
    subject: transaction.subject,
    claimedHash: transaction.hash,
    confirmations: ofOwners(transaction),
    removedOwners: [],
    others: sameNonce
      .filter((rival) => rival.transaction.hash !== transaction.hash)
      .map((rival) => ({
        safeTxHash: rival.transaction.hash,
        nonce: rival.transaction.nonce,
        isCancellation: isCancellation(rival.transaction.subject.safeTx, safeAddress),
        confirmations: ofOwners(rival.transaction),
        formerConfirmations: [],
      })),
    account,
    origin: null,
  }
}
