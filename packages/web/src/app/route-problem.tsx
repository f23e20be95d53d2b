import { CountersignError } from '@countersign/safe'
import { useEffect, useState } from 'react'
import { useLiveStatus } from '../api/live/status.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { forgetFailedParts } from '../ui/part/lazy-part.tsx'
import { isMissingPart } from '../ui/part/missing-part.ts'
import { Problem } from '../ui/problem.tsx'

/** A page that was loaded anew, and misses its code so soon again, would miss it without end: code may take long to fail. */
const SOON_MS = 120_000

const wasJustReloaded = () =>
  performance.now() < SOON_MS && performance.getEntriesByType('navigation')[0]?.toJSON().type === 'reload'

/**
 * Shows that a page cannot be drawn. If the server answers but does not have the code, the page is of an earlier version and
 * reloads automatically. If the server did not answer, the code is requested again when it does.
 */
export function RouteProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const isCodeMissing = isMissingPart(error)
  const isAway = error instanceof CountersignError && error.code === 'SERVER_UNREACHABLE'
  const isLive = useLiveStatus() === 'live'
  const [wasLive, setWasLive] = useState(isLive)
  const retry = () => {
    forgetFailedParts()
    reset()
  }
  useEffect(() => {
    if (isCodeMissing && isLive && !wasJustReloaded()) location.reload()
  }, [isCodeMissing, isLive])
  useEffect(() => {
    if (isLive === wasLive) return
    setWasLive(isLive)
    if (isLive && isAway) retry()
  })
  return (
    <Problem
      error={error}
      sentence={isCodeMissing ? text('app.newVersion') : undefined}
      onRetry={retry}
      actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
    />
  )
}
