import type { MultisigTransaction, ReviewReport } from '@countersign/contract'
import { counterpartiesOf, type Facts, finishedRun, type PackSubject, type Review } from '@countersign/review'
import { MAX_NAMED_ACCOUNTS, type SafeState, writeSafeTxFile } from '@countersign/safe'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { type ReviewLists, useReviewLists } from '../../evidence/attribution/review-lists.ts'
import { DevicePart } from '../../evidence/device/device-part.tsx'
import { calldataDigest, deviceScreen } from '../../evidence/device/signing-device.ts'
import { ProofPackFold } from '../../evidence/proof-pack/proof-pack-fold.tsx'
import { RunCalls } from '../../evidence/simulation/run-calls.tsx'
import { namesOf } from '../../safe/names/names.ts'
import { useRegisteredNames } from '../../safe/names/primary-names.ts'
import { text } from '../../safe/text.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { useIsWide } from '../../ui/screen/use-is-wide.ts'
import { ExpectedChanges } from '../effects/expected-changes.tsx'
import { NestedApprovals } from '../nested/nested-approvals.tsx'
import type { TransactionRequest } from '../subject.ts'
import { GradedParts } from './graded-parts.tsx'
import { GuideFold, PrintedGuide } from './how-to-check.tsx'
import { OwnerReports } from './owner-reports.tsx'
import { ReviewChecks } from './review-checks.tsx'
import { ReviewClaims } from './review-claims.tsx'
import { ReviewConfiguration } from './review-configuration.tsx'
import { ReviewCodes, ReviewCounterparties } from './review-counterparties.tsx'
import { ReviewCalls, ReviewEffects, ReviewMoves } from './review-effects.tsx'
import { ReviewFields, ReviewHashes } from './review-fields.tsx'
import { MinorFindings, ReviewFindings } from './review-findings.tsx'
import { ReviewLayout } from './review-layout.tsx'
import { ReviewSignatures, Signers } from './review-signatures.tsx'
import { VerdictBand } from './verdict-band.tsx'

/** Shows what else can be executed in place of a transaction, which another feature knows. */
export type ShowSignaturesAtNonce = (at: { state: SafeState; nonce: bigint; safeTxHash: Hex }) => ReactNode

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
  const version = state ? (state.version ?? state.reportedVersion) : null
  const file = writeSafeTxFile({ chainId, safeAddress, version: version ?? undefined, safeTx })
  const isSettled = outcome !== undefined
  const run = finishedRun(facts)
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
            {!isSettled && (
              <ReviewChecks chain={names.chain} review={review}>
                <GradedParts review={review} state={state} facts={facts} names={names} />
                <MinorFindings review={review} names={names} />
              </ReviewChecks>
            )}
            {run && <RunCalls run={run} review={review} names={names} />}
            <ReviewCalls review={review} abis={lists.abis} names={names} />
            <ReviewCodes call={review.call} codes={facts.codes} names={names} />
            <ReviewFields safeTx={safeTx} names={names} file={file} />
            <ReviewHashes
              explanation={text('review.hashes.explanation')}
              domainHash={review.hashes.domainHash}
              messageHash={review.hashes.messageHash}
              signed={{ name: 'safeTxHash', label: text('review.hashes.safeTxHash'), hash: review.hashes.safeTxHash }}
              claimed={request.claimedHash}
              chainId={chainId}
              safeAddress={safeAddress}
              version={version}
              file={file}
            />
            <GuideFold />
            {transaction && <ReviewSignatures review={review} transaction={transaction} names={names} />}
            {state &&
              !isSettled &&
              safeTx.nonce >= state.nonce &&
              signaturesAtNonce?.({ state, nonce: safeTx.nonce, safeTxHash: review.hash })}
            {transaction && (
              <OwnerReports reports={reports} names={names} signers={review.confirmations.map(({ owner }) => owner)} />
            )}
            {transaction && <ExpectedChanges review={review} request={request} state={state} names={names} />}
            {state && !isSettled && safeTx.nonce >= state.nonce && (
              <ProofPackFold
                subject={packSubject(request, state, account, lists)}
                safeTxHash={review.hash}
                names={names}
                isProposed={transaction !== undefined}
              />
            )}
            {transaction && <ReviewClaims claims={transaction} names={names} />}
            {evidence}
          </>
        }
      />
      <PrintedGuide
        title={transactionTitle(safeTx, names, review)}
        review={review}
        request={request}
        version={version}
      />
    </div>
  )
}

function packSubject(
  { subject, confirmations }: TransactionRequest,
  state: SafeState,
  account: Address | null,
  { policy, spent }: Pick<ReviewLists, 'policy' | 'spent'>,
): PackSubject {
  const { chainId, safeAddress, safeTx } = subject
  const executor = account ?? state.owners[0] ?? safeAddress
  const version = policy?.inForce?.version
  const { policy: text = '', approvals = [], withdrawals = [] } = version ?? {}
  const signed = ({ owner, signature }: { owner: Address; signature: Hex }) => ({ owner, signature })
  const packed = {
    text,
    spent: spent ?? null,
    approvals: approvals.map(signed),
    withdrawals: withdrawals.map(({ entryHash, ...withdrawal }) => ({ entryHash, ...signed(withdrawal) })),
  }
  return {
    chainId,
    safeAddress,
    safeTx,
    confirmations,
    executor,
    creation: state.creation,
    policy: version && packed,
  }
}
