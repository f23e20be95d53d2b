import type { ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { Section } from '../ui/section.tsx'
import { anchors } from './decision-bar.tsx'
import type { Offer } from './offer.ts'
import { OfferedButton } from './offered-button.tsx'
import type { SigningStep } from './sign.ts'
import { text } from './text.ts'

/** The reader's own signature, on a transaction or a message. It stands after the review, never before it. */
export function YourConfirmation({
  title = text('confirm.title'),
  offer,
  explanation,
  label = text('confirm.button'),
  acknowledge,
  confirm,
  onAct,
}: {
  title?: string
  offer: Offer
  explanation: string
  label?: string
  /** The points to answer first, or what is missing. */
  acknowledge: ReactNode
  confirm: { error: Error | null; isPending: boolean; step: SigningStep }
  /** Null until there is a hash that the person has seen. */
  onAct: (() => void) | null
}) {
  if (offer.kind === 'none') return null
  return (
    <Section title={title} anchor={anchors.confirmation}>
      <div className="grid gap-4" data-confirm={offer.kind === 'told' && offer.isDone ? 'done' : offer.kind}>
        {confirm.error && !confirm.isPending && <Problem error={confirm.error} />}
        {offer.kind === 'told' ? (
          <Notice tone={offer.isDone ? 'good' : 'info'} isAnnounced={offer.isDone}>
            {offer.sentence}
          </Notice>
        ) : (
          <>
            {acknowledge}
            <OfferedButton
              offer={offer}
              explanation={explanation}
              label={label}
              busy={confirm.isPending ? text(`confirm.busy.${confirm.step}`) : undefined}
              onAct={onAct}
            />
          </>
        )}
      </div>
    </Section>
  )
}
