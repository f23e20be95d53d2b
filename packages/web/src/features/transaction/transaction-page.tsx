import { useIsMutating, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { anchors } from '../../review/sign/decision-bar.tsx'
import { useConfirm } from '../../review/sign/use-confirm.ts'
import type { ReviewView as ReviewState } from '../../review/use-review.ts'
import { ReviewHead } from '../../review/view/review-head.tsx'
import { ReviewLayout } from '../../review/view/review-layout.tsx'
import { ReviewView } from '../../review/view/review-view.tsx'
import { ReviewWaiting, ServedReview } from '../../review/view/review-waiting.tsx'
import type { ShowSignaturesAtNonce } from '../../review/view/transaction-evidence.tsx'
import { transactionQuery } from '../../safe/queries.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useFocusAfter } from '../../ui/screen/use-focus-after.ts'
import { useAnnounced } from '../../ui/toast/toasts.ts'
import { Alarms } from './alarms.tsx'
import { deletionKey } from './delete-button.tsx'
import { ExecutedBand, ExecutedFacts } from './executed-facts.tsx'
import { Decision, DecisionLink, ImportedConfirmations, OtherActions } from './open-transaction.tsx'
import { PageNotices } from './page-notices.tsx'
import { type Place, type Served, useTransactionReview } from './use-transaction-review.ts'

/** While something is under way, the live event is not waited for alone. */
const FAST_MS = 2_500
const SLOW_MS = 30_000

/** Parts that other features bring. */
type OtherParts = { notes: ReactNode; signaturesAtNonce: ShowSignaturesAtNonce }

/** One transaction: the review, beside it what the reader may do about it, then the notes. */
export function TransactionPage({ notes, signaturesAtNonce, ...place }: Place & OtherParts) {
  const { chainId, safeAddress, safeTxHash } = place
  const safe = useSafeState(chainId, safeAddress)
  const isDeleting = useIsMutating({ mutationKey: deletionKey(safeTxHash) }) > 0
  const served = useQuery({
    ...transactionQuery(chainId, safeTxHash),
    enabled: !isDeleting,
    refetchInterval: ({ state }) => {
      const transaction = state.data?.transaction
      if (!transaction || transaction.isExecuted) return false
      const isUsed = safe.data && transaction.safeTx && transaction.safeTx.nonce < safe.data.nonce
      return transaction.pendingExecution || isUsed ? FAST_MS : SLOW_MS
    },
  })
  return (
    <div data-transaction-page={safeTxHash}>
      <ServedReview
        of={served}
        kind="transaction"
        place={place}
        title={text('transaction.title.loading')}
        label={text('transaction.loading')}
      >
        {(transaction, isUnreachable) => (
          <>
            <Alarms chainId={chainId} safeAddress={safeAddress} />
            <CheckServedHash
              place={place}
              served={transaction}
              isUnreachable={isUnreachable}
              signaturesAtNonce={signaturesAtNonce}
            />
            <div className="mt-12 print:hidden">{notes}</div>
          </>
        )}
      </ServedReview>
    </div>
  )
}

type ReviewedTransactionProps = {
  place: Place
  served: Served
  isUnreachable: boolean
  signaturesAtNonce: ShowSignaturesAtNonce
}

/** Refuses a reply about another transaction than the one that the address names. */
function CheckServedHash(props: ReviewedTransactionProps) {
  const { place, served } = props
  const { chainId, safeAddress, safeTxHash } = place
  const { transaction } = served
  if (transaction.safeAddress !== safeAddress || transaction.chainId !== chainId)
    return (
      <Notice tone="danger" isAnnounced>
        {text('transaction.otherSafe')} <Address address={transaction.safeAddress} />
      </Notice>
    )
  if (transaction.safeTxHash !== safeTxHash)
    return (
      <Notice tone="danger" isAnnounced title={text('verdict.do-not-sign')}>
        {text('transaction.otherHash')} <Hash hash={transaction.safeTxHash} />
      </Notice>
    )
  return <ReviewedTransaction {...props} />
}

function ReviewedTransaction({ place, served, isUnreachable, signaturesAtNonce }: ReviewedTransactionProps) {
  const { transaction } = served
  const { isExecuted, safeTx } = transaction
  const reviewed = useTransactionReview(place, served, isUnreachable)
  const { request, view, review, account, names, state } = reviewed
  const confirming = useConfirm({
    kind: 'transaction',
    chainId: place.chainId,
    safeAddress: place.safeAddress,
    hash: place.safeTxHash,
  })
  useAnnounced(isExecuted ? outcomeText(transaction) : null)
  useFocusAfter(isExecuted, anchors.verdict)
  const title = safeTx
    ? transactionTitle(safeTx, names, { ...review, isExecuted: transaction.isSuccessful === true })
    : text('transaction.title.unknown')
  const titled = {
    kind: 'transaction',
    place,
    title,
    about: safeTx && text('queue.nonce', { nonce: safeTx.nonce }),
    claims: { ...transaction, names },
  } as const
  const notices = <PageNotices view={view} transaction={transaction} />
  const head = (
    <>
      <ReviewHead {...titled} verdict={isExecuted ? undefined : review?.verdict} chainName={names.chain?.name} />
      {notices}
    </>
  )
  if (request === null) return <UnrecoveredTransaction head={head} transaction={transaction} />
  if (view.error)
    return (
      <>
        {head}
        <QueryProblem error={view.error} onRetry={view.retry} />
      </>
    )
  if (!review) return <ReviewWaiting {...titled} notices={notices} label={waitingLabel(view)} />
  const shown = {
    review,
    request,
    state,
    account,
    transaction,
    head,
    facts: view.facts,
    reports: served.reports,
    signaturesAtNonce,
  }
  if (isExecuted)
    return (
      <ReviewView
        {...shown}
        outcome={<ExecutedBand transaction={transaction} />}
        bar={null}
        decision={<ExecutedFacts transaction={transaction} />}
      />
    )
  const open = { ...reviewed, place, served, title, request, review, confirming }
  return (
    <ReviewView
      {...shown}
      bar={<DecisionLink {...open} />}
      decision={<Decision {...open} />}
      more={<OtherActions {...open} />}
      evidence={<ImportedConfirmations {...open} />}
    />
  )
}

function waitingLabel({ isReadingSafe }: ReviewState): string {
  return text(isReadingSafe ? 'transaction.state.loading' : 'transaction.reviewing')
}

function outcomeText({ isSuccessful }: Served['transaction']): string {
  return text(isSuccessful === false ? 'transaction.notice.failed' : 'transaction.notice.executed')
}

/** Executed elsewhere, with fields that nobody knows. */
function UnrecoveredTransaction({ head, transaction }: { head: ReactNode; transaction: Served['transaction'] }) {
  return (
    <ReviewLayout
      story={
        <>
          {head}
          <div className="mt-5">
            <Notice>{text('transaction.unrecovered')}</Notice>
          </div>
        </>
      }
      card={<Outcome transaction={transaction} />}
      evidence={null}
    />
  )
}

function Outcome({ transaction }: { transaction: Served['transaction'] }) {
  return (
    <>
      <ExecutedBand transaction={transaction} />
      <ExecutedFacts transaction={transaction} />
    </>
  )
}
