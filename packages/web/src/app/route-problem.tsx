import { useEffect } from 'react'
import { useLiveStatus } from '../api/live-status.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

/** A page that was loaded anew, and misses its code so soon again, would miss it without end: code may take long to fail. */
const SOON_MS = 120_000

const wasJustReloaded = () =>
  performance.now() < SOON_MS && performance.getEntriesByType('navigation')[0]?.toJSON().type === 'reload'

/**
 * A page that cannot be drawn. Code that did not come a browser never asks for again: then the page is loaded anew, by itself
 * where the server answers, or once it does again.
 */
export function RouteProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const isCodeMissing = error instanceof TypeError && /import\w+ .*module/i.test(error.message)
  const isLive = useLiveStatus() === 'live'
  useEffect(() => {
    if (isCodeMissing && isLive && !wasJustReloaded()) location.reload()
  }, [isCodeMissing, isLive])
  return (
    <Problem
      error={error}
      {...(isCodeMissing ? { sentence: text('app.newVersion') } : { onRetry: reset })}
      actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
    />
  )
}
