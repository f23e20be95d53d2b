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
  offer: Extract<Offer, { kind: 'offered' | 'refused' }>
  explanation: string
  label: string
  busy: string | undefined
  /** Null until there is a hash that the person has seen. */
  onAct: (() => void) | null
}) {
  const reasonId = useId()
  const isRefused = offer.kind === 'refused'
  return (
    <>
      <p id={reasonId} className={`wrap-anywhere ${isRefused ? 'text-warning' : 'text-ink-soft'}`}>
        {isRefused ? offer.reason : explanation}
      </p>
      <div>
        <Button
          variant="primary"
          aria-describedby={reasonId}
          disabled={isRefused || onAct === null}
          busy={busy}
          onClick={() => onAct?.()}
        >
          {label}
        </Button>
      </div>
    </>
  )
}
