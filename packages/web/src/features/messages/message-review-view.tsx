import type { SafeMessage } from '@countersign/contract'
import type { SafeState } from '@countersign/safe-core'
import type { ReactNode } from 'react'
import { anchors } from '../../review/decision-bar.tsx'
import { type Names, nameOf } from '../../review/names.ts'
import { ReviewHashes } from '../../review/view/review-fields.tsx'
import { ReviewSignatures } from '../../review/view/review-signatures.tsx'
import { Findings } from '../../review/view/review-verdict.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { MessageBody } from './message-body.tsx'
import { text } from './text.ts'
import type { MessageRequest, MessageReview } from './use-message-review.ts'

const tones = { matches: 'good', 'cannot-verify': 'warning', 'do-not-sign': 'danger' } as const

/** The whole review of a message, in the order of every review: the verdict first, claims last. */
export function MessageReviewView({
  reviewed: { content, review },
  request,
  state,
  names,
  message,
  end,
}: {
  reviewed: MessageReview
  request: MessageRequest
  state: SafeState | undefined
  names: Names
  /** Absent before it is proposed. */
  message?: SafeMessage | undefined
  /** What leads from it to the decision. */
  end: ReactNode
}) {
  return (
    <div data-review={review.hashes.safeMessageHash}>
      <Section title={text(`verdict.${review.verdict}`)} anchor={anchors.verdict}>
        <div data-verdict={review.verdict} className="mb-6">
          <Notice
            tone={tones[review.verdict]}
            isAnnounced
            hint={state && text('verdict.block', { block: state.blockNumber })}
          >
            <p>{text(`message.verdict.${review.verdict}`)}</p>
            {review.verdict === 'do-not-sign' && <p className="mt-2 font-semibold">{text('message.verdict.advice')}</p>}
          </Notice>
        </div>
        <Findings findings={review.findings} names={names} none={text('message.findings.none')} />
      </Section>
      <MessageBody content={content} json={request.content} names={names} />
      {/* Without the Safe its version is a guess: a hash that may be wrong is not shown. */}
      {state && (
        <ReviewHashes
          explanation={text('message.hashes.explanation')}
          domainHash={review.hashes.domainHash}
          messageHash={review.hashes.messageHash}
          signed={{
            name: 'safeMessageHash',
            label: text('message.hashes.safeMessageHash'),
            hash: review.hashes.safeMessageHash,
          }}
          claimed={request.claimedSafeMessageHash}
          chainId={request.chainId}
          safeAddress={request.safeAddress}
          version={state.version ?? state.reportedVersion}
        />
      )}
      {message && (
        <ReviewSignatures review={review} transaction={{ ...message, isExecuted: false }} state={state} names={names} />
      )}
      {message && <Claims message={message} names={names} />}
      {end}
    </div>
  )
}

/** What others say. It stands last, because nothing of it is checked. */
function Claims({ message: { origin, proposer, submissionDate }, names }: { message: SafeMessage; names: Names }) {
  return (
    <Section title={text('review.claims')} aside={text('review.claims.aside')}>
      <Facts>
        <Fact label={text('review.claims.origin')}>
          {origin === null ? text('review.claims.origin.none') : <q data-origin>{showUntrusted(origin)}</q>}
        </Fact>
        <Fact label={text('review.claims.proposer')}>
          <Address address={proposer} name={nameOf(proposer, names)} />
        </Fact>
        <Fact label={text('review.claims.submitted')}>
          <Time value={submissionDate} />
        </Fact>
      </Facts>
    </Section>
  )
}
