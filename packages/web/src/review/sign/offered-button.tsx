import { useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import type { ButtonOffer } from './offer.ts'

/** A verb as it is offered: what it will do, or why it can't be done now, and the button. */
export function OfferedButton({
  effect,
  offer,
  explanation,
  label,
  busy,
  onAct,
}: {
  /** The effect, in the words of the page's title. */
  effect: string
  offer: ButtonOffer
  explanation: string
  label: string
  busy: string | undefined
  /** Null until there is a hash that the person has seen. */
  onAct: (() => void) | null
}) {
  const reasonId = useId()
  const isOffered = offer.kind === 'offered'
  // A second press may come before the first is drawn as busy: the wallet is asked once.
  const isPressed = useRef(false)
  useEffect(() => {
    if (busy === undefined) isPressed.current = false
  })
  const press = () => {
    if (!isOffered || onAct === null || isPressed.current) return
    isPressed.current = true
    onAct()
  }
  return (
    <>
      <p data-effect-again className="font-semibold text-pretty wrap-anywhere">
        {effect}
      </p>
      <div>
        <Button
          variant="primary"
          isWide
          aria-describedby={reasonId}
          disabled={!isOffered || onAct === null}
          busy={busy}
          onClick={press}
        >
          {label}
        </Button>
      </div>
      <p id={reasonId} className={`text-small wrap-anywhere ${isOffered ? 'text-ink-soft' : 'text-warning'}`}>
        {isOffered ? explanation : offer.reason}
      </p>
    </>
  )
}
