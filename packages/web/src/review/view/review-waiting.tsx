import type { ReactNode } from 'react'
import { useChain } from '../../api/configuration.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import type { Place } from '../subject.ts'
import { ReviewHead } from './review-head.tsx'
import { ReviewLayout } from './review-layout.tsx'
import { CheckingBand } from './verdict-band.tsx'

/** The page as it will be, with empty lines: nothing moves when the review is there. */
export function ReviewWaiting({
  kind,
  place,
  title,
  about,
  notices,
  label,
}: {
  kind: Place['kind']
  place: Pick<Place, 'chainId' | 'safeAddress'>
  title: string
  about?: ReactNode
  notices?: ReactNode
  label: string
}) {
  const chain = useChain(place.chainId)
  return (
    <ReviewLayout
      story={
        <>
          <ReviewHead {...{ kind, title, place, about }} chainName={chain?.name} verdict={undefined} />
          {notices}
          {/* As high as the window: what follows the review is not seen to move. */}
          <div className="min-h-screen">
            <Skeleton label={label} lines={8} />
          </div>
        </>
      }
      card={
        <>
          <CheckingBand label={label} />
          <div className="min-h-80" />
        </>
      }
      evidence={null}
    />
  )
}

/** A review of what could not be read: its head, and why. */
export function ReviewFailed({
  kind,
  place,
  title,
  error,
  onRetry,
}: {
  kind: Place['kind']
  place: Pick<Place, 'chainId' | 'safeAddress'>
  title: string
  error: Error | null
  onRetry: () => void
}) {
  const chain = useChain(place.chainId)
  return (
    <div className="grid gap-6">
      <ReviewHead {...{ kind, title, place }} chainName={chain?.name} verdict={undefined} />
      <QueryProblem error={error} onRetry={onRetry} />
    </div>
  )
}
