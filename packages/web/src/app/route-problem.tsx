import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

/** After an update of the server, chunks of the old build are gone; only loading the page again helps. */
export function RouteProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const isChunkGone = error instanceof TypeError && /import|module/i.test(error.message)
  return (
    <Problem
      error={error}
      {...(isChunkGone ? { sentence: text('app.newVersion') } : { onRetry: reset })}
      actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
    />
  )
}
