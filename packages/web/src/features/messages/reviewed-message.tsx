import type { MessageReview } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { DecisionBar } from '../../review/sign/decision-bar.tsx'
import { ImportConfirmations } from '../../review/sign/import-confirmations.tsx'
import { hasButton, isRefused } from '../../review/sign/offer.ts'
import type { useConfirm } from '../../review/sign/use-confirm.ts'
import { YourConfirmation } from '../../review/sign/your-confirmation.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'
import { CollectedSignature } from './collected-signature.tsx'
import { DeleteMessage } from './delete-message.tsx'
import { text } from './text.ts'
import type { ReadableMessageProps, useMessageReview } from './use-message-review.ts'

/** A message with its review. */
type ReviewedMessage = ReadableMessageProps &
  ReturnType<typeof useMessageReview> & {
    review: MessageReview
    title: string
    confirm: ReturnType<typeof useConfirm>
  }

/** The link from the review to the decision. */
export function DecisionLink({ title, review, isOutdated, state, message, offers }: ReviewedMessage) {
  return (
    <DecisionBar
      title={title}
      review={review}
      isOutdated={isOutdated}
      threshold={state?.threshold ?? message.confirmationsRequired}
      confirm={offers.confirm}
    />
  )
}

/** Confirms the message, or says that it must not be signed. */
export function Decision(reviewed: ReviewedMessage) {
  const { review, title, account, offers, confirm, acknowledging } = reviewed
  const shown = { hash: review.hash, acknowledgements: acknowledging.given }
  return (
    <>
      {isRefused(review) && (
        <CardPart title={text('confirm.title')}>
          <p className="font-semibold">{text('message.refused.do-not-sign')}</p>
        </CardPart>
      )}
      <YourConfirmation
        effect={title}
        offer={offers.confirm}
        explanation={text('message.confirm.explanation', { account: account ?? '' })}
        acknowledge={<SeriousFindings {...reviewed} />}
        confirm={confirm}
        onAct={() => confirm.mutate({ shown })}
      />
    </>
  )
}

/** The signature that its application waits for, as far as it is collected. */
export function Collected({ review, state, names }: ReviewedMessage) {
  if (!state || isRefused(review)) return null
  return <CollectedSignature review={review} state={state} names={names} />
}

/** Imports signatures that owners made elsewhere. */
export function ImportedConfirmations(reviewed: ReviewedMessage) {
  const { place, request, review, state, names, offers, acknowledging } = reviewed
  if (!state) return null
  return (
    <ImportConfirmations
      place={place}
      request={request}
      review={review}
      acknowledgements={acknowledging.given}
      state={state}
      names={names}
      offer={offers.import}
      acknowledge={hasButton(offers.confirm) ? null : <SeriousFindings {...reviewed} />}
    />
  )
}

/** Offers to propose a transaction that signs the message on-chain. */
export function SignOnChain({ place: { chainId, safeAddress, hash }, review, request, role, view }: ReviewedMessage) {
  if ((role !== 'owner' && role !== 'proposer') || isRefused(review) || view.facts.signedOnChain) return null
  // Raw bytes say no more on-chain than here: nobody could read what the Safe signs.
  if (request.subject.content.encoding === 'RAW') return null
  return (
    <CardPart title={text('message.signOnChain.title')}>
      <div className="grid gap-3">
        <p className="text-small text-ink-soft">{text('message.signOnChain.what')}</p>
        <div>
          <ButtonLink to="/safes/$chainId/$safeAddress/new" params={{ chainId, safeAddress }} search={{ sign: hash }}>
            {text('message.signOnChain.propose')}
          </ButtonLink>
        </div>
      </div>
    </CardPart>
  )
}

/** Deletes the message, for the account that proposed it. */
export function DeleteOwnMessage({
  place,
  message,
  account,
}: Pick<ReadableMessageProps, 'place' | 'message' | 'account'>) {
  if (account === null || !isSameAddress(message.proposer, account)) return null
  return <DeleteMessage place={place} />
}

/** The serious findings that the reader answers before a button. */
function SeriousFindings({ place, names, acknowledging, view }: ReviewedMessage) {
  return <Acknowledge acknowledging={acknowledging} names={names} chainId={place.chainId} onRetry={view.retry} />
}
