import type { AliveTransaction } from '@countersign/review'
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
  sameNonce,
  listed,
  state,
  names: known,
}: {
  entry: Entry
  alive: Alive
  /** The queue's answer for each; null while it is missing. */
  listed: readonly Listed[] | null
  /** Everything that is alive at its nonce. */
  sameNonce: readonly Entry[]
  state: SafeState
  names: Names
}) {
  const { signed, subject, confirmations } = entry.transaction
  const { chainId, safeAddress, safeTx } = subject
  const names = useNamesOf(safeTx, known, chainId)
  // A deleted one has no page: what is known is what accounts signed.
  const served = useServedRequest(entry, listed, names)
  const view = useReview(signed.isDeleted ? requestOf(entry, sameNonce, state, names) : served, chainId, safeAddress)
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const [effect, ...others] = review?.effects ?? []
  return (
    <article data-alive={signed.hash} className="grid gap-2">
      <p className="font-semibold wrap-anywhere">{transactionTitle(safeTx, names)}</p>
      <p className="flex flex-wrap items-center gap-2" data-verdict={review?.verdict}>
        {review ? (
          <Tag tone={tones[review.verdict]}>{verdictTitle(summarizeVerdict(review))}</Tag>
        ) : (
          <span className="text-small text-ink-soft">{text('alive.reviewing')}</span>
        )}
        {signed.isDeleted && <Tag tone="warning">{text('alive.deleted')}</Tag>}
      </p>
      {signed.isDeleted && <p className="text-small text-ink-soft">{text('alive.deleted.sentence')}</p>}
      <ReachView reach={entry} waits={entry.waits} confirmations={confirmations} names={names} />
      <WaysView ways={alive.together.ways[signed.hash]} alive={alive} names={names} />
      {(effect || !review) && (
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

/**
 * Finds the request that its own page reviews: in the queue's answer for all; a transaction outside of the queue is
 * asked for alone.
 */
function useServedRequest(
  { transaction: { signed, subject } }: Entry,
  listed: readonly Listed[] | null,
  { account }: Names,
): TransactionRequest | null {
  const request = listed?.find(({ hash }) => hash === signed.hash)?.request
  const alone = useQuery({
    ...transactionQuery(subject.chainId, signed.hash),
    enabled: listed !== null && !request && !signed.isDeleted,
  })
  if (request) return request
  const served = alone.data && !alone.error ? transactionRequest(alone.data, signed.hash, account) : null
  return served && { ...served, subject }
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
