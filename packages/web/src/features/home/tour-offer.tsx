import { useChains } from '../../api/configuration.ts'
import { storeTour, useTour } from '../../api/tour-step.ts'
import { Button } from '../../ui/button.tsx'
import { guardedStorage } from '../../wallet/index.ts'
import { text } from './landing-text.ts'

/** Begins the tour of the demo Safe, or resumes it where the reader left it. */
export function TourOffer() {
  const tour = useTour(guardedStorage)
  const isDevnet = useChains().some((chain) => chain.isDevnet)
  if (!isDevnet || tour?.isOpen) return null
  return (
    <div className="mb-9 flex flex-wrap items-center gap-x-4 gap-y-2 border-y border-rule py-3">
      <Button isCompact onClick={() => storeTour(guardedStorage, { step: tour?.step ?? 1, isOpen: true })}>
        {tour ? text('tour.resume', { step: tour.step }) : text('tour.start')}
      </Button>
      <p className="text-small text-ink-soft">{text('tour.what')}</p>
    </div>
  )
}
