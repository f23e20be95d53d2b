import type { MultisigTransaction, ReviewReport } from '@countersign/contract'
import { type Facts, finishedRun, type PackSubject, type Review } from '@countersign/review'
import { type SafeState, writeSafeTxFile } from '@countersign/safe'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import type { ReviewLists } from '../../evidence/attribution/review-lists.ts'
import { ProofPackFold } from '../../evidence/proof-pack/proof-pack-fold.tsx'
import { RunCalls } from '../../evidence/simulation/run-calls.tsx'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { ExpectedChanges } from '../effects/expected-changes.tsx'
import type { TransactionRequest } from '../subject.ts'
import { GradedParts } from './graded-parts.tsx'
import { GuideFold } from './how-to-check.tsx'
import { OwnerReports } from './owner-reports.tsx'
import { ReviewChecks } from './review-checks.tsx'
import { ReviewClaims } from './review-claims.tsx'
import { ReviewCodes } from './review-counterparties.tsx'
import { ReviewCalls } from './review-effects.tsx'
import { ReviewFields, ReviewHashes } from './review-fields.tsx'
import { MinorFindings } from './review-findings.tsx'
import { ReviewSignatures } from './review-signatures.tsx'

/** Shows what else can be executed in place of a transaction, which another feature knows. */
export type ShowSignaturesAtNonce = (at: { state: SafeState; nonce: bigint; safeTxHash: Hex }) => ReactNode

type TransactionEvidenceProps = {
  review: Review
  request: TransactionRequest
  state: SafeState | undefined
  facts: Facts
  account: Address | null
  /** Absent before it is proposed. */
  transaction: MultisigTransaction | undefined
  reports: readonly ReviewReport[]
  lists: ReviewLists
  names: Names
  /** Whether it is executed, so that there is nothing left to check. */
  isSettled: boolean
  signaturesAtNonce: ShowSignaturesAtNonce | undefined
}

/** The evidence of a review, in the order of every review: checks, calls, fields, hashes, signatures; claims last. */
export function TransactionEvidence(props: TransactionEvidenceProps) {
  const { review, request, state, facts, lists, names, isSettled } = props
  const { chainId, safeAddress, safeTx } = request.subject
  const version = versionOf(state)
  const file = writeSafeTxFile({ chainId, safeAddress, version: version ?? undefined, safeTx })
  const run = finishedRun(facts)
  return (
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
      <ProposedEvidence {...props} />
    </>
  )
}

/** The evidence that a proposal adds to its fields; before it is proposed, only its proof pack. */
function ProposedEvidence({
  review,
  request,
  state,
  account,
  transaction,
  reports,
  lists,
  names,
  isSettled,
  signaturesAtNonce,
}: TransactionEvidenceProps) {
  const { nonce } = request.subject.safeTx
  const executable = state && !isSettled && nonce >= state.nonce ? state : undefined
  return (
    <>
      {transaction && <ReviewSignatures review={review} transaction={transaction} names={names} />}
      {executable && signaturesAtNonce?.({ state: executable, nonce, safeTxHash: review.hash })}
      {transaction && (
        <>
          <OwnerReports reports={reports} names={names} signers={review.confirmations.map(({ owner }) => owner)} />
          <ExpectedChanges review={review} request={request} state={state} names={names} />
        </>
      )}
      {executable && (
        <ProofPackFold
          subject={packSubject(request, executable, account, lists)}
          safeTxHash={review.hash}
          names={names}
          isProposed={transaction !== undefined}
        />
      )}
      {transaction && <ReviewClaims claims={transaction} names={names} />}
    </>
  )
}

/** The version that the hashes are computed for, as far as the Safe is known. */
export function versionOf(state: SafeState | undefined) {
  return state ? (state.version ?? state.reportedVersion) : null
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
