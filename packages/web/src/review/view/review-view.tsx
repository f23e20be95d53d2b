import type { MultisigTransaction, ReviewReport } from '@countersign/contract'
import { counterpartiesOf, type Facts, type Review } from '@countersign/review'
import { MAX_NAMED_ACCOUNTS, type SafeState } from '@countersign/safe'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useReviewLists } from '../../evidence/attribution/review-lists.ts'
import { DevicePart } from '../../evidence/device/device-part.tsx'
import { calldataDigest, deviceScreen } from '../../evidence/device/signing-device.ts'
import { namesOf } from '../../safe/names/names.ts'
import { useRegisteredNames } from '../../safe/names/primary-names.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { useIsWide } from '../../ui/screen/use-is-wide.ts'
import { NestedApprovals } from '../nested/nested-approvals.tsx'
import type { TransactionRequest } from '../subject.ts'
import { PrintedGuide } from './how-to-check.tsx'
import { ReviewConfiguration } from './review-configuration.tsx'
import { ReviewCounterparties } from './review-counterparties.tsx'
import { ReviewEffects, ReviewMoves } from './review-effects.tsx'
import { ReviewFindings } from './review-findings.tsx'
import { ReviewLayout } from './review-layout.tsx'
import { Signers } from './review-signatures.tsx'
import { type ShowSignaturesAtNonce, TransactionEvidence, versionOf } from './transaction-evidence.tsx'
import { VerdictBand } from './verdict-band.tsx'

type ReviewViewProps = {
  review: Review
  request: TransactionRequest
  state: SafeState | undefined
  facts: Facts
  account: Address | null
  /** Absent before it is proposed. */
  transaction?: MultisigTransaction | undefined
  /** Claims of accounts about what they saw. */
  reports?: readonly ReviewReport[]
  /** The outcome, instead of the verdict: that is about today's Safe and would mislead. */
  outcome?: ReactNode
  /** The title, and what is to be said above everything. */
  head: ReactNode
  /** The link from the story to the decision, where both are below each other. */
  bar: ReactNode
  /** Parts of the card in which it is decided. */
  decision: ReactNode
  /** Other things that can be done: the last part of the card. */
  more?: ReactNode
  signaturesAtNonce?: ShowSignaturesAtNonce | undefined
  /** Further folds, after the evidence of the review. */
  evidence?: ReactNode
}

/**
 * The whole review of a transaction, in the order of every review: the effect, the verdict, what is serious, what changes
 * and moves, who takes part; the decision; then the evidence, claims last.
 */
export function ReviewView({
  review,
  request,
  state,
  facts,
  account,
  transaction,
  reports = [],
  outcome,
  head,
  bar,
  decision,
  more,
  signaturesAtNonce,
  evidence,
}: ReviewViewProps) {
  const { chainId, safeAddress, safeTx } = request.subject
  const chain = useListedChain(chainId)
  const isWide = useIsWide()
  const { lists } = useReviewLists(chainId, safeAddress)
  const known = namesOf(safeAddress, state, account, chain, lists.names)
  const names = useRegisteredNames(known, chainId, counterpartiesOf(review.call).slice(0, MAX_NAMED_ACCOUNTS))
  const isSettled = outcome !== undefined
  // Where there is nothing to answer, what changes by pressing a button stands below what does not.
  const isCalm = isSettled || review.verdict === 'matches'
  const signers = transaction && <Signers review={review} transaction={transaction} state={state} names={names} />
  const band = outcome ?? <VerdictBand review={review} blockNumber={state?.blockNumber ?? null} />
  return (
    <div data-review={review.hashes.safeTxHash}>
      <ReviewLayout
        story={
          <>
            {head}
            {!isWide && <div className="-mx-4 sm:mx-0">{band}</div>}
            {!isSettled && <ReviewFindings review={review} names={names} />}
            <ReviewEffects review={review} names={names} isSettled={isSettled} />
            {!isSettled && <NestedApprovals review={review} chainId={chainId} names={names} />}
            <ReviewMoves review={review} facts={facts} names={names} isSettled={isSettled} />
            <ReviewConfiguration
              review={review}
              facts={facts}
              names={names}
              isSettled={isSettled}
              isStateKnown={state !== undefined}
            />
            <ReviewCounterparties call={review.call} codes={facts.codes} names={names} />
            {!isWide && bar}
          </>
        }
        card={
          <>
            {isWide && band}
            {isCalm && signers}
            {decision}
            {!isCalm && signers}
            {!isSettled && (
              <DevicePart
                kind="transaction"
                isOpen={isWide && review.verdict === 'matches'}
                hashes={{ ...review.hashes, eip712Digest: review.hash, calldataDigest: calldataDigest(safeTx.data) }}
                screenOf={(device) => deviceScreen(device, safeTx, review.call)}
              />
            )}
            {more}
          </>
        }
        evidence={
          <>
            <TransactionEvidence
              review={review}
              request={request}
              state={state}
              facts={facts}
              account={account}
              transaction={transaction}
              reports={reports}
              lists={lists}
              names={names}
              isSettled={isSettled}
              signaturesAtNonce={signaturesAtNonce}
            />
            {evidence}
          </>
        }
      />
      <PrintedGuide
        title={transactionTitle(safeTx, names, review)}
        review={review}
        request={request}
        version={versionOf(state)}
      />
    </div>
  )
}
