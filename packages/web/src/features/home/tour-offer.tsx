import { useQuery } from '@tanstack/react-query'
import { useChains } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { storeTour, useTour } from '../../device/tour-step.ts'
import { findDemoSafe } from '../../safe/demo-safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { Button } from '../../ui/button.tsx'
import { text } from './landing-text.ts'

/** Begins the tour of the demo Safe, or resumes it where the reader left it. Tells others whose tour it is. */
export function TourOffer() {
  const tour = useTour(guardedStorage)
  const chains = useChains()
  const { data } = useQuery(safesQuery)
  if (!chains.some(({ isDevnet }) => isDevnet) || tour?.isOpen) return null
  const isForOthers = data !== undefined && !findDemoSafe(data.safes, chains)
  return (
    <div className="mb-9 flex min-h-15.5 flex-wrap items-center gap-x-4 gap-y-2 border-y border-rule py-3">
      {!isForOthers && (
        <Button isCompact onClick={() => storeTour(guardedStorage, { step: tour?.step ?? 1, isOpen: true })}>
          {tour ? text('tour.resume', { step: tour.step }) : text('tour.start')}
        </Button>
      )}
      <p className="text-small text-ink-soft">{text(isForOthers ? 'tour.owners' : 'tour.what')}</p>
    </div>
  )
}
