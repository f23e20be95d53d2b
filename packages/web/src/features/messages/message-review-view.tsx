import type { getMessage, Reply } from '@countersign/contract'
import { deviceScreenOfMessage, type MessageReview, type SafeState } from '@countersign/safe-core'
import type { ReactNode } from 'react'
import { DevicePanel } from '../../review/device/device-panel.tsx'
import type { Names } from '../../review/names.ts'
import type { MessageRequest } from '../../review/subject.ts'
import { OwnerReports } from '../../review/view/owner-reports.tsx'
import { ReviewClaims } from '../../review/view/review-claims.tsx'
import { ReviewHashes } from '../../review/view/review-fields.tsx'
import { ReviewSignatures } from '../../review/view/review-signatures.tsx'
import { ReviewVerdict } from '../../review/view/review-verdict.tsx'
import { Section } from '../../ui/section.tsx'
import { MessageBody } from './message-body.tsx'
import { text } from './text.ts'

/** The whole review of a message, in the order of every review: the verdict first, claims last. */
export function MessageReviewView({
  review,
  request,
  state,
  names,
  message,
  end,
}: {
  review: MessageReview
  request: MessageRequest
  state: SafeState | undefined
  names: Names
  /** Absent before it is proposed. */
  message?: Reply<typeof getMessage> | undefined
  /** What leads from it to the decision. */
  end: ReactNode
}) {
  const { chainId, safeAddress, content } = request.subject
  return (
    <div data-review={review.hash}>
      <ReviewVerdict
        review={review}
        blockNumber={state?.blockNumber ?? null}
        names={names}
        says={() => text(`message.verdict.${review.verdict}`)}
        advice={text('message.verdict.advice')}
        none={text('message.findings.none')}
      />
      <MessageBody content={content} json={request.json} names={names} />
      {/* Without the Safe its version is a guess: a hash that may be wrong is not shown. */}
      {state && (
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
          version={state.version ?? state.reportedVersion}
        />
      )}
      {state && (
        <Section title={text('device.title')}>
          <DevicePanel
            kind="message"
            hashes={{ ...review.hashes, eip712Digest: review.hash }}
            screenOf={deviceScreenOfMessage}
          />
        </Section>
      )}
      {message && (
        <ReviewSignatures review={review} transaction={{ ...message, isExecuted: false }} state={state} names={names} />
      )}
      {message && (
        <OwnerReports
          reports={message.reports}
          signers={review.confirmations.map(({ owner }) => owner)}
          names={names}
        />
      )}
      {message && <ReviewClaims claims={message} names={names} />}
      {end}
    </div>
  )
}
