import { Component, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

/** The last net: a part of the screen that failed says so instead of leaving the page white. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <div className="mx-auto max-w-3xl px-5 py-16">
        <RouteProblem error={this.state.error} reset={() => this.setState({ error: undefined })} />
      </div>
    )
  }
}

/** After an update of the server, chunks of the old build are gone; only loading the page again helps. */
export function RouteProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const isChunkGone = error instanceof TypeError && /import|module/i.test(error.message)
  return (
    <Problem
      error={isChunkGone ? new Error(text('app.newVersion')) : error}
      {...(isChunkGone ? {} : { onRetry: reset })}
      actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
    />
  )
}
