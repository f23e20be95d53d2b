import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import type { Offer } from './offer.ts'

/** A verb as it is offered: what it will do, or why it can't be done now, and the button. */
export function OfferedButton({
  offer,
  explanation,
  label,
  busy,
  onAct,
}: {
  offer: Extract<Offer, { kind: 'offered' | 'acknowledge' | 'refused' }>
  explanation: string
  label: string
  busy: string | undefined
  /** Null until there is a hash that the person has seen. */
  onAct: (() => void) | null
}) {
  const reasonId = useId()
  const isOffered = offer.kind === 'offered'
  return (
    <>
      <p id={reasonId} className={`wrap-anywhere ${isOffered ? 'text-ink-soft' : 'text-warning'}`}>
        {isOffered ? explanation : offer.reason}
      </p>
      <div>
        <Button
          variant="primary"
          aria-describedby={reasonId}
          disabled={!isOffered || onAct === null}
          busy={busy}
          onClick={() => isOffered && onAct?.()}
        >
          {label}
        </Button>
      </div>
    </>
  )
}
