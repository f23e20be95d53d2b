import type { ReactNode } from 'react'
import { useChain } from '../../api/configuration.ts'
import { isHiddenFromAccount } from '../../safe/hidden-error.ts'
import type { Place } from '../../safe/queries.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { NotVisible } from './not-visible.tsx'
import { type Claims, ReviewHead } from './review-head.tsx'
import { ReviewLayout } from './review-layout.tsx'
import { CheckingBand } from './verdict-band.tsx'

/** The page as it will be, with empty lines: nothing moves when the review is there. */
export function ReviewWaiting({
  kind,
  place,
  title,
  about,
  claims,
  notices,
  label,
}: {
  kind: Place['kind']
  place: Pick<Place, 'chainId' | 'safeAddress'>
  title: string
  about?: ReactNode
  /** Known before the review is complete, so that the head keeps its height. */
  claims?: Claims
  notices?: ReactNode
  label: string
}) {
  const chain = useChain(place.chainId)
  return (
    <ReviewLayout
      story={
        <>
          <ReviewHead
            kind={kind}
            title={title}
            place={place}
            about={about}
            claims={claims}
            chainName={chain?.name}
            verdict={undefined}
          />
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

/**
 * The review of what the server has: the page as it will be until it is there, or its head and why it cannot be read. What was
 * read before stays while the server does not answer.
 */
export function ServedReview<Data>({
  of: { data, isPending, error, refetch },
  kind,
  place,
  title,
  label,
  children,
}: {
  of: { data: Data | undefined; isPending: boolean; error: Error | null; refetch: () => unknown }
  kind: Place['kind']
  place: Pick<Place, 'chainId' | 'safeAddress'>
  /** Until it is known what it is. */
  title: string
  label: string
  children: (served: Data, isUnreachable: boolean) => ReactNode
}) {
  const chain = useChain(place.chainId)
  const retry = () => void refetch()
  if (isPending) return <ReviewWaiting kind={kind} place={place} title={title} label={label} />
  if (data === undefined)
    return (
      <div className="grid gap-6">
        <ReviewHead kind={kind} title={title} place={place} chainName={chain?.name} verdict={undefined} />
        {isHiddenFromAccount(error) ? <NotVisible kind={kind} /> : <QueryProblem error={error} onRetry={retry} />}
      </div>
    )
  return (
    <>
      {error &&
        (isHiddenFromAccount(error) ? (
          <NotVisible kind={kind} />
        ) : (
          <QueryProblem error={error} isStale onRetry={retry} />
        ))}
      {children(data, error !== null)}
    </>
  )
}
