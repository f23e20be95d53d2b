import { errorTable } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

const neutral = new Set(['WALLET_REJECTED', 'WALLET_BUSY'])

/** An error as the product tells it: what happened, the value at fault, what to do. Codes are the API's and the logs'. */
export function Problem({
  error,
  onRetry,
  retryLabel,
  actions,
}: {
  error: unknown
  onRetry?: (() => void) | undefined
  retryLabel?: string
  actions?: ReactNode
}) {
  const code = error instanceof CountersignError ? error.code : undefined
  const entry = code && isListed(code) ? errorTable[code] : undefined
  const requestId = error instanceof CountersignError ? error.data.requestId : undefined
  return (
    <Notice
      tone={code && neutral.has(code) ? 'info' : 'danger'}
      isAnnounced
      title={entry?.title ?? text('problem.unexpected')}
      hint={
        <>
          {entry?.hint ?? text('problem.unexpected.hint')}
          {code && (
            <span className="figures block text-ink-faint">
              {code}
              {typeof requestId === 'string' && ` · ${text('problem.request', { requestId })}`}
            </span>
          )}
        </>
      }
      actions={
        onRetry || actions ? (
          <>
            {onRetry && <Button onClick={onRetry}>{retryLabel ?? text('problem.retry')}</Button>}
            {actions}
          </>
        ) : undefined
      }
    >
      {error instanceof Error ? <Sentence value={error.message} /> : null}
    </Notice>
  )
}

/** Messages put the value at fault between backticks. */
function Sentence({ value }: { value: string }) {
  return value.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
      <code key={index} className="figures text-small">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

function isListed(code: string): code is keyof typeof errorTable {
  return code in errorTable
}
