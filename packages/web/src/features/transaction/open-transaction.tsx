import type { Review } from '@countersign/review'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { DecisionBar } from '../../review/sign/decision-bar.tsx'
import { ImportConfirmations } from '../../review/sign/import-confirmations.tsx'
import { hasButton, isAnswerable, isRefused } from '../../review/sign/offer.ts'
import type { useConfirm } from '../../review/sign/use-confirm.ts'
import { YourConfirmation } from '../../review/sign/your-confirmation.tsx'
import type { TransactionRequest } from '../../review/subject.ts'
import { text } from '../../safe/words/finding-text.ts'
import { CardPart } from '../../ui/card.tsx'
import { ApproveAs } from './approve-as.tsx'
import { ApproveOnChain } from './approve-on-chain.tsx'
import { ExecuteButton } from './execution/execute-button.tsx'
import { planExecution } from './execution/plan-execution.ts'
import { NextStep } from './next-step.tsx'
import { ProposalActions } from './replacement.tsx'
import { TooLarge } from './too-large.tsx'
import type { Place, Served, useTransactionReview } from './use-transaction-review.ts'

/** A transaction that is not executed, with its review. */
type OpenTransaction = ReturnType<typeof useTransactionReview> & {
  place: Place
  served: Served
  title: string
  request: TransactionRequest
  review: Review
  /** Kept by the page, so that a confirmation continues while the review is computed again. */
  confirming: ReturnType<typeof useConfirm>
}

/** The link from the review to the decision. */
export function DecisionLink({ served, title, review, state, offers, isOutdated }: OpenTransaction) {
  return (
    <DecisionBar
      title={title}
      review={review}
      confirm={offers.confirm}
      execute={offers.execute}
      isOutdated={isOutdated}
      threshold={state?.threshold ?? served.transaction.confirmationsRequired}
    />
  )
}

/** The first parts of the card: confirm, then execute. If the review refuses both, the remedies follow at once. */
export function Decision(open: OpenTransaction) {
  const { served, title, review, state, view, account, offers, acknowledging, confirming } = open
  const { transaction } = served
  const { safeTx } = transaction
  const { confirm, execute } = offers
  const shown = { hash: review.hash, acknowledgements: acknowledging.given }
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
        acknowledge={<SeriousFindings {...open} />}
        confirm={confirming}
        onAct={() => confirming.mutate({ shown })}
        next={!isAnswerable(execute) && !isUnderWay && <NextStep transaction={transaction} />}
      />
      {/* One button that comes next: executing comes after confirming. */}
      <ExecuteButton
        transaction={transaction}
        shown={shown}
        account={account}
        {...planExecution(safeTx, { state, review, facts: view.facts })}
        tooLarge={state && safeTx && <TooLarge safeTx={safeTx} state={state} facts={view.facts} />}
        effect={title}
        offer={hasButton(confirm) && !isAnswerable(execute) ? { kind: 'none' } : execute}
        acknowledge={hasButton(confirm) ? null : <SeriousFindings {...open} />}
      />
      {isRefused(review) && <Remedies {...open} />}
    </>
  )
}

/** The last part of the card: other ways to confirm, and actions on the proposal. */
export function OtherActions(open: OpenTransaction) {
  const { place, review, state, view, account, names, offers, acknowledging } = open
  if (isRefused(review)) return null
  return (
    <>
      {hasButton(offers.confirm) && (
        <ApproveOnChain
          {...place}
          shown={{ hash: review.hash, acknowledgements: acknowledging.given }}
          account={account}
          state={state}
          offer={offers.confirm}
        />
      )}
      <ApproveAs
        review={review}
        account={account}
        chainId={place.chainId}
        names={names}
        state={state}
        accounts={view.facts.ownerAccounts}
      />
      <Remedies {...open} />
    </>
  )
}

/** Imports signatures that owners made elsewhere. */
export function ImportedConfirmations(open: OpenTransaction) {
  const { place, request, review, state, names, offers, acknowledging } = open
  if (!state) return null
  const { safeTxHash: hash, ...safe } = place
  return (
    <ImportConfirmations
      place={{ kind: 'transaction', hash, ...safe }}
      offer={offers.import}
      acknowledge={hasButton(offers.confirm) || hasButton(offers.execute) ? null : <SeriousFindings {...open} />}
      request={request}
      review={review}
      acknowledgements={acknowledging.given}
      state={state}
      names={names}
    />
  )
}

/** The serious findings that the reader answers before a button. */
function SeriousFindings({ place, names, acknowledging, view }: OpenTransaction) {
  return <Acknowledge acknowledging={acknowledging} names={names} chainId={place.chainId} onRetry={view.retry} />
}

/** Replaces, cancels or deletes the proposal. */
function Remedies({ place, served, state, account, review }: OpenTransaction) {
  return (
    <ProposalActions
      {...place}
      transaction={served.transaction}
      others={served.others}
      state={state}
      account={account}
      isForbidden={isRefused(review)}
    />
  )
}
