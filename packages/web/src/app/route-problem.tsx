import { useEffect, useRef } from 'react'
import { useLiveStatus } from '../api/live-status.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

/**
 * A page that cannot be drawn. Code that did not come a browser never asks for again: then the page is loaded anew, by itself
 * once a server that was away answers again.
 */
export function RouteProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const isCodeMissing = error instanceof TypeError && /import|module/i.test(error.message)
  const isLive = useLiveStatus() === 'live'
  const wasLive = useRef(isLive)
  useEffect(() => {
    if (isCodeMissing && isLive && !wasLive.current) location.reload()
    wasLive.current = isLive
  }, [isCodeMissing, isLive])
  return (
    <Problem
      error={error}
      {...(isCodeMissing ? { sentence: text('app.newVersion') } : { onRetry: reset })}
      actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
    />
  )
}
