import { Fragment, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Skeleton } from './loading.tsx'
import { NotLoaded, QueryProblem } from './problem.tsx'
import { Row, Rows } from './section.tsx'

/** Data that was asked for: a query of React Query is one. */
export type Asked<Data> = {
  data: Data | undefined
  error: Error | null
  fetchStatus: 'fetching' | 'paused' | 'idle'
  refetch: () => unknown
}

type Waiting = {
  /** Name of the data under way, for screen readers. */
  loading: string
  /** About as many lines as there will be. */
  lines?: number
  /** For an error that is none for this reader: instead of it, and of what was there before. Otherwise nothing. */
  instead?: (error: Error) => ReactNode
}

/** Shows the data once it is there; until then that it is loading, that there is no connection, or the error. */
export function Loaded<Data>({
  of: { data, error, fetchStatus, refetch },
  loading,
  lines = 3,
  instead,
  children,
}: Waiting & { of: Asked<Data>; children: (data: Data) => ReactNode }) {
  const other = error && instead?.(error)
  if (other) return other
  if (data === undefined && error) return <QueryProblem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return fetchStatus === 'paused' ? <NotLoaded /> : <Skeleton label={loading} lines={lines} />
  return (
    <>
      {error && (
        <div className="not-empty:mb-4">
          <QueryProblem error={error} isStale onRetry={() => void refetch()} />
        </div>
      )}
      {children(data)}
    </>
  )
}

/** Part of `useInfiniteQuery` that brings further pages. */
type Paged = {
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  isFetchNextPageError?: boolean
  fetchNextPage?: () => unknown
}

/**
 * Rows of what was asked for, with every state that a list can be in: asked for, offline, failed, empty, whole, and with
 * more to come.
 *
 * @param rows of all pages; looked at only once something is there
 */
export function List<Entry>({
  of,
  rows,
  keyOf,
  label,
  loading,
  lines,
  instead,
  empty,
  more,
  children,
}: Waiting & {
  of: Asked<unknown> & Paged
  rows: readonly Entry[]
  keyOf: (row: Entry) => string
  /** Without it the rows are drawn one below the other, and rule themselves. */
  label?: string
  empty: ReactNode
  /** On the button for further rows, where there may be some. */
  more?: string
  children: (row: Entry) => ReactNode
}) {
  const asked = of.isFetchNextPageError && of.fetchNextPage ? { ...of, refetch: of.fetchNextPage } : of
  return (
    <Loaded of={asked} loading={loading} {...(lines === undefined ? {} : { lines })} {...(instead ? { instead } : {})}>
      {() => (
        <>
          {rows.length === 0 && empty}
          {rows.length > 0 &&
            (label === undefined ? (
              rows.map((row) => <Fragment key={keyOf(row)}>{children(row)}</Fragment>)
            ) : (
              <Rows label={label}>
                {rows.map((row) => (
                  <Row key={keyOf(row)}>{children(row)}</Row>
                ))}
              </Rows>
            ))}
          {more !== undefined && of.hasNextPage && (
            <div className="mt-4">
              <Button onClick={() => void of.fetchNextPage?.()} busy={of.isFetchingNextPage ? loading : undefined}>
                {more}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}
