import type { ReactNode } from 'react'
import { text } from '../../safe/text.ts'
import { CardPart } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, useFreshError } from '../../ui/problem.tsx'
import { useFocusAfter } from '../../ui/screen/use-focus-after.ts'
import { anchors } from './decision-bar.tsx'
import type { Offer } from './offer.ts'
import { OfferedButton } from './offered-button.tsx'
import type { SigningStep } from './sign.ts'

/** The reader's own signature, on a transaction or a message. It stands after the review, never before it. */
export function YourConfirmation({
  title = text('confirm.title'),
  effect,
  offer,
  explanation,
  label = text('confirm.button'),
  acknowledge,
  confirm,
  onAct,
  next,
}: {
  title?: string
  /** The title of what is signed, said again where it is signed. */
  effect: string
  offer: Offer
  explanation: string
  label?: string
  /** The points to answer first, or what is missing. */
  acknowledge: ReactNode
  confirm: { error: Error | null; isPending: boolean; step: SigningStep }
  /** Null until there is a hash that the person has seen. */
  onAct: (() => void) | null
  /** The way on, once it is done. */
  next?: ReactNode
}) {
  const error = useFreshError(confirm.isPending ? null : confirm.error, JSON.stringify(offer))
  const isDone = offer.kind === 'told' && offer.isDone
  useFocusAfter(isDone, anchors.confirmation)
  if (offer.kind === 'none') return null
  return (
    <CardPart title={title} anchor={anchors.confirmation}>
      <div className="grid gap-3" data-confirm={isDone ? 'done' : offer.kind}>
        {error && <Problem error={error} />}
        {offer.kind === 'told' ? (
          <>
            <Notice tone={offer.isDone ? 'good' : 'info'} isAnnounced={offer.isDone}>
              {offer.sentence}
            </Notice>
            {offer.isDone && next}
          </>
        ) : (
          <>
            {acknowledge}
            <OfferedButton
              effect={effect}
              offer={offer}
              explanation={explanation}
              label={label}
              busy={confirm.isPending ? text(`confirm.busy.${confirm.step}`) : undefined}
              onAct={onAct}
            />
          </>
        )}
      </div>
    </CardPart>
  )
}
