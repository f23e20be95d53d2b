import type { getMessage, Reply } from '@countersign/contract'
import type { MessageReview } from '@countersign/review'
import { type SafeState, writeMessageFile } from '@countersign/safe'
import type { ReactNode } from 'react'
import { DevicePart } from '../../evidence/device/device-part.tsx'
import { deviceScreenOfMessage } from '../../evidence/device/signing-device.ts'
import { NestedApprovals } from '../../review/nested/nested-approvals.tsx'
import type { MessageRequest } from '../../review/subject.ts'
import { GradedParts } from '../../review/view/graded-parts.tsx'
import { OwnerReports } from '../../review/view/owner-reports.tsx'
import { ReviewChecks } from '../../review/view/review-checks.tsx'
import { ReviewClaims } from '../../review/view/review-claims.tsx'
import { ReviewHashes } from '../../review/view/review-fields.tsx'
import { MinorFindings, ReviewFindings } from '../../review/view/review-findings.tsx'
import { ReviewLayout } from '../../review/view/review-layout.tsx'
import { ReviewSignatures, Signers } from '../../review/view/review-signatures.tsx'
import { VerdictBand } from '../../review/view/verdict-band.tsx'
import type { Names } from '../../safe/names/names.ts'
import { useIsWide } from '../../ui/screen/use-is-wide.ts'
import { MessageBody } from './message-body.tsx'
import { text } from './text.ts'

/** The whole review of a message, in the order of every review: the verdict first, claims last. */
export function MessageReviewView({
  review,
  request,
  state,
  names,
  message,
  head,
  bar,
  decision,
  more,
  evidence,
}: {
  review: MessageReview
  request: MessageRequest
  state: SafeState | undefined
  names: Names
  /** Absent before it is proposed. */
  message?: Reply<typeof getMessage> | undefined
  /** The title, and what is to be said above everything. */
  head: ReactNode
  /** The link from the story to the decision, where both are below each other. */
  bar: ReactNode
  /** Parts of the card in which it is decided. */
  decision: ReactNode
  /** Other things that can be done: the last part of the card. */
  more?: ReactNode
  /** Further folds, after the evidence of the review. */
  evidence?: ReactNode
}) {
  const { chainId, content } = request.subject
  const isWide = useIsWide()
  const band = (
    <VerdictBand
      review={review}
      blockNumber={state?.blockNumber ?? null}
      says={() => text(`message.verdict.${review.verdict}`)}
      advice={text('message.verdict.advice')}
    />
  )
  const isCalm = review.verdict === 'matches'
  const signed = message && { review, transaction: { ...message, isExecuted: false }, state, names }
  const signers = signed && <Signers {...signed} />
  return (
    <div data-review={review.hash}>
      <ReviewLayout
        story={
          <>
            {head}
            {!isWide && <div className="-mx-4 sm:mx-0">{band}</div>}
            <ReviewFindings review={review} names={names} />
            <div className="mt-5">
              <MessageBody content={content} json={request.json} names={names} />
            </div>
            <NestedApprovals review={review} chainId={chainId} names={names} />
            {!isWide && bar}
          </>
        }
        card={
          <>
            {isWide && band}
            {isCalm && signers}
            {decision}
            {!isCalm && signers}
            {/* Without the Safe its version is a guess: a hash that may be wrong is not shown. */}
            {state && (
              <DevicePart
                kind="message"
                isOpen={isWide && review.verdict === 'matches'}
                hashes={{ ...review.hashes, eip712Digest: review.hash }}
                screenOf={deviceScreenOfMessage}
              />
            )}
            {more}
          </>
        }
        evidence={
          <>
            <ReviewChecks chain={names.chain} review={review}>
              <GradedParts review={review} state={state} names={names} facts={{}} />
              <MinorFindings review={review} names={names} />
            </ReviewChecks>
            {state && <MessageHashes review={review} request={request} state={state} />}
            {signed && <ReviewSignatures {...signed} />}
            {message && (
              <OwnerReports
                reports={message.reports}
                signers={review.confirmations.map(({ owner }) => owner)}
                names={names}
              />
            )}
            {message && <ReviewClaims claims={message} names={names} />}
            {evidence}
          </>
        }
      />
    </div>
  )
}

function MessageHashes({
  review,
  request,
  state,
}: {
  review: MessageReview
  request: MessageRequest
  state: SafeState
}) {
  const { chainId, safeAddress } = request.subject
  const version = state.version ?? state.reportedVersion
  return (
    <ReviewHashes
      explanation={text('message.hashes.explanation')}
      domainHash={review.hashes.domainHash}
      messageHash={review.hashes.messageHash}
      signed={{
        name: 'safeMessageHash',
        label: text('message.hashes.safeMessageHash'),
        hash: review.hash,
      }}
      claimed={request.claimedHash}
      chainId={chainId}
      safeAddress={safeAddress}
      version={version}
      file={writeMessageFile({ chainId, safeAddress, version, json: request.json })}
    />
  )
}
