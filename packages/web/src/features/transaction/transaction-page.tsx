import type { getTransaction, Reply } from '@countersign/contract'
import type { Facts, Review } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { serverNow } from '../../device/server-time.ts'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import type { Shown } from '../../review/sign/check-again.ts'
import { anchors, DecisionBar } from '../../review/sign/decision-bar.tsx'
import { ImportConfirmations } from '../../review/sign/import-confirmations.tsx'
import {
  hasButton,
  isAnswerable,
  isRefused,
  type Offer,
  offerConfirm,
  offerExecute,
  offerImport,
} from '../../review/sign/offer.ts'
import { UnreadHistory } from '../../review/sign/unread-history.tsx'
import { useConfirm } from '../../review/sign/use-confirm.ts'
import { YourConfirmation } from '../../review/sign/your-confirmation.tsx'
import { transactionRequest } from '../../review/subject.ts'
import { type ReviewView as ReviewState, useReview } from '../../review/use-review.ts'
import { ReviewHead } from '../../review/view/review-head.tsx'
import { ReviewLayout } from '../../review/view/review-layout.tsx'
import { ReviewView, type ShowSignaturesAtNonce } from '../../review/view/review-view.tsx'
import { ReviewWaiting, ServedReview } from '../../review/view/review-waiting.tsx'
import { readyExecution } from '../../safe/execution/encode-execution.ts'
import { executionGas } from '../../safe/execution/execution-gas.ts'
import { namesOf } from '../../safe/names/names.ts'
import { useNamesOf } from '../../safe/names/primary-names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { text } from '../../safe/words/finding-text.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useFocusAfter } from '../../ui/screen/use-focus-after.ts'
import { useAnnounced } from '../../ui/toast/toasts.ts'
import { useAccountState, useSession } from '../../wallet/index.ts'
import { Alarms } from './alarms.tsx'
import { ApproveAs } from './approve-as.tsx'
import { ApproveOnChain } from './approve-on-chain.tsx'
import { deletionKey } from './delete-button.tsx'
import { ExecuteButton } from './execute-button.tsx'
import { ExecutedBand, ExecutedFacts } from './executed-facts.tsx'
import { NextStep } from './next-step.tsx'
import { ProposalActions } from './replacement.tsx'
import { TooLarge } from './too-large.tsx'

/** While something is under way, the live event is not waited for alone. */
const FAST_MS = 2_500
const SLOW_MS = 30_000
const AWAITED_MS = 120_000

type Place = { chainId: number; safeAddress: AddressType; safeTxHash: Hex }
type Served = Reply<typeof getTransaction>
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
  const { chainId, safeAddress, safeTxHash } = place
  const { transaction, others } = served
  const accountState = useAccountState()
  const account = useSession().session?.address ?? null
  const chain = useListedChain(chainId)
  const request = transactionRequest(served, safeTxHash, account)
  const view = useReview(request, chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  const subjectPlace = { kind: 'transaction', chainId, safeAddress, hash: safeTxHash } as const
  const confirming = useConfirm(subjectPlace)
  const acknowledging = useAcknowledgements(view.review, account)
  const known = namesOf(safeAddress, view.state, account, chain, useTeamNames(chainId, safeAddress))
  const names = useNamesOf(transaction.safeTx, known, chainId)
  const { state } = view
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const isOutdated = view.isOutdated || isUnreachable
  const acknowledgements = acknowledging.given
  const facts = { role, review, isOutdated, state, transaction, accountState, acknowledgements }
  const [confirm, execute] = [offerConfirm(facts), offerExecute(facts)]
  const { isExecuted, safeTx } = transaction
  useAnnounced(isExecuted ? outcomeText(transaction) : null)
  useFocusAfter(isExecuted, anchors.verdict)
  const title = safeTx
    ? transactionTitle(safeTx, names, { ...review, isExecuted: transaction.isSuccessful === true })
    : text('transaction.title.unknown')
  const about = safeTx && text('queue.nonce', { nonce: safeTx.nonce })
  const notices = <PageNotices view={view} transaction={transaction} />
  const verdict = isExecuted ? undefined : review?.verdict
  const claims = { ...transaction, names }
  const head = (
    <>
      <ReviewHead
        kind="transaction"
        title={title}
        place={place}
        verdict={verdict}
        about={about}
        claims={claims}
        chainName={chain?.name}
      />
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
  if (!review)
    return (
      <ReviewWaiting
        kind="transaction"
        place={place}
        title={title}
        about={about}
        claims={claims}
        notices={notices}
        label={text(
          view.isRunning ? 'run.running' : view.isReadingChain ? 'transaction.state.loading' : 'transaction.reviewing',
        )}
      />
    )
  const shown = { hash: review.hash, acknowledgements }
  const acknowledge = <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={view.retry} />
  const instead = (
    <ProposalActions
      {...place}
      transaction={transaction}
      others={others}
      state={state}
      account={account}
      isForbidden={isRefused(review)}
    />
  )
  return (
    <ReviewView
      review={review}
      request={request}
      state={state}
      account={account}
      transaction={transaction}
      head={head}
      facts={view.facts}
      reports={served.reports}
      outcome={isExecuted ? <ExecutedBand transaction={transaction} /> : undefined}
      bar={
        isExecuted ? null : (
          <DecisionBar
            title={title}
            review={review}
            confirm={confirm}
            execute={execute}
            isOutdated={isOutdated}
            threshold={state?.threshold ?? transaction.confirmationsRequired}
          />
        )
      }
      decision={
        isExecuted ? (
          <ExecutedFacts transaction={transaction} />
        ) : (
          <Decision
            transaction={transaction}
            review={review}
            state={state}
            account={account}
            title={title}
            shown={shown}
            confirm={confirm}
            confirming={confirming}
            execute={execute}
            acknowledge={acknowledge}
            instead={instead}
            facts={view.facts}
          />
        )
      }
      more={
        !isExecuted &&
        !isRefused(review) && (
          <>
            {hasButton(confirm) && (
              <ApproveOnChain {...place} shown={shown} account={account} state={state} offer={confirm} />
            )}
            <ApproveAs
              review={review}
              account={account}
              chainId={chainId}
              names={names}
              state={state}
              accounts={view.facts.ownerAccounts}
            />
            {instead}
          </>
        )
      }
      signaturesAtNonce={signaturesAtNonce}
      evidence={
        !isExecuted &&
        state && (
          <ImportConfirmations
            place={subjectPlace}
            offer={offerImport(facts)}
            acknowledge={hasButton(confirm) || hasButton(execute) ? null : acknowledge}
            request={request}
            review={review}
            acknowledgements={acknowledgements}
            state={state}
            names={names}
          />
        )
      }
    />
  )
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

/** The parts of the card in which it is decided: confirming, then executing, or what else is to be done. */
function Decision({
  transaction,
  review,
  state,
  facts,
  account,
  title,
  shown,
  confirm,
  confirming,
  execute,
  acknowledge,
  instead,
}: {
  transaction: Served['transaction']
  review: Review
  state: SafeState | undefined
  facts: Facts
  account: AddressType | null
  title: string
  shown: Shown
  confirm: Offer
  /** Confirming, kept by the page: it goes on while the review is computed anew. */
  confirming: ReturnType<typeof useConfirm>
  execute: Offer
  acknowledge: ReactNode
  instead: ReactNode
}) {
  const { safeTx } = transaction
  const isUnderWay = transaction.pendingExecution !== null
  return (
    <>
      {isRefused(review) && (
        <CardPart title={text('confirm.title')}>
          <p className="font-semibold">{text('confirm.refused.do-not-sign')}</p>
        </CardPart>
      )}
      <YourConfirmation
        effect={title}
        offer={confirm}
        explanation={text('confirm.explanation', { account: account ?? '' })}
        acknowledge={acknowledge}
        confirm={confirming}
        onAct={() => confirming.mutate({ shown })}
        next={!isAnswerable(execute) && !isUnderWay && <NextStep transaction={transaction} />}
      />
      {/* One button that comes next: executing comes after confirming. */}
      <ExecuteButton
        transaction={transaction}
        shown={shown}
        account={account}
        gas={state && safeTx ? executionGas(facts, { signatures: state.threshold, ...safeTx }) : null}
        call={state && safeTx && review ? readyExecution(safeTx, review.confirmations, state) : null}
        tooLarge={state && safeTx && <TooLarge safeTx={safeTx} state={state} facts={facts} />}
        effect={title}
        offer={hasButton(confirm) && !isAnswerable(execute) ? { kind: 'none' } : execute}
        acknowledge={hasButton(confirm) ? null : acknowledge}
      />
      {isRefused(review) && instead}
    </>
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

/** Notices that stand before everything else. */
function PageNotices({ view, transaction }: { view: ReviewState; transaction: Served['transaction'] }) {
  const { state, review } = view
  const isEdited = review?.findings.some(({ id }) => id === 'PROPOSAL-EDITED')
  // An execution that was just sent is probably what used it. Only for a moment: that one was sent is a claim.
  const sent = transaction.pendingExecution?.submissionDate
  const isAwaited = sent !== undefined && serverNow() - Date.parse(sent) < AWAITED_MS
  const isPast = !transaction.isExecuted && state && transaction.safeTx && transaction.safeTx.nonce < state.nonce
  const isUsed = isPast && !isAwaited
  return (
    <div className="grid gap-4 not-empty:my-4">
      {isEdited && (
        <Notice tone="danger" isAnnounced title={text('transaction.edited')}>
          {text('transaction.edited.sentence')}
        </Notice>
      )}
      {isUsed && (
        <Notice tone="warning" isAnnounced title={text('transaction.used')}>
          {text('transaction.used.sentence', { nonce: transaction.safeTx?.nonce ?? 0n })}
        </Notice>
      )}
      {view.isOffline && (
        <Notice tone="warning" isAnnounced title={text('transaction.offline')}>
          {text('transaction.offline.sentence')}
        </Notice>
      )}
      {view.stateError && <QueryProblem error={view.stateError} isStale onRetry={view.retry} />}
      {!transaction.isExecuted && <UnreadHistory view={view} />}
    </div>
  )
}
