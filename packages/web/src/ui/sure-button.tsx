import { useState } from 'react'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

/** Does what cannot be taken back, once it was said twice. */
export function SureButton({
  label,
  name,
  sentence,
  yes,
  no,
  busy,
  error,
  onSure,
}: {
  label: string
  /** With what it is about, for those who hear one button after the other. */
  name: string
  /** Consequence of the action. */
  sentence: string
  yes: string
  no: string
  /** Name of the running action. */
  busy: string | undefined
  error: unknown
  onSure: () => void
}) {
  const [isAsked, setIsAsked] = useState(false)
  if (!isAsked)
    return (
      <Button isCompact aria-label={name} onClick={() => setIsAsked(true)}>
        {label}
      </Button>
    )
  return (
    <div className="grid max-w-md gap-2">
      <p className="text-small wrap-anywhere" role="status">
        {sentence}
      </p>
      {error != null && <Problem error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button isCompact variant="danger" autoFocus onClick={onSure} busy={busy}>
          {yes}
        </Button>
        <Button isCompact onClick={() => setIsAsked(false)}>
          {no}
        </Button>
      </div>
    </div>
  )
}
