import { errorTable } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { type ReactNode, useEffect } from 'react'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** No failures: the person declined, or has to answer in the wallet. Their code would tell nobody anything. */
const neutral = new Set(['WALLET_REJECTED', 'WALLET_BUSY'])
/** Their sentence names an operation of the program, so it stands in the small print. */
const technical = new Set(['SERVER_UNREACHABLE', 'INTERNAL', 'RPC_ERROR'])
/** The same request would get the same answer. */
const lasting = new Set([
  'NOT_FOUND',
  'WRONG_ORIGIN',
  'NOT_SIGNED_IN',
  'SESSION_EXPIRED',
  'SESSION_REVOKED',
  'ACCOUNT_MISMATCH',
  'CHAIN_NOT_CONFIGURED',
  'NOT_AN_OWNER',
  'NOT_A_MEMBER',
  'NOT_OWNER_OR_DELEGATE',
  'UNSUPPORTED_SAFE_VERSION',
  'TRANSACTION_ALREADY_EXECUTED',
  'NONCE_ALREADY_EXECUTED',
  'ALREADY_CONFIRMED',
])

/** Shown for what no part of the product throws: a fault in the page itself. */
const UNEXPECTED = 'UNEXPECTED'

/** An error as the product tells it: what happened, the value at fault, what to do. Codes are the API's and the logs'. */
export function Problem({
  error,
  title,
  sentence,
  onRetry,
  retryLabel,
  actions,
}: {
  error: unknown
  /** Instead of the code's own title. */
  title?: string
  /** Instead of the error's own sentence. */
  sentence?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string
  actions?: ReactNode
}) {
  const code = error instanceof CountersignError ? error.code : undefined
  const entry = code && isListed(code) ? errorTable[code] : undefined
  const requestId = error instanceof CountersignError ? error.data.requestId : undefined
  const isTechnical = !code || technical.has(code)
  // What the language itself or a library says is for whoever looks for the cause, not for the reader.
  const message = error instanceof CountersignError ? <Sentence value={error.message} /> : null
  useEffect(() => {
    if (!code) console.warn(error)
  }, [code, error])
  const canRetry = onRetry && !(code && lasting.has(code))
  return (
    <Notice
      tone={code && neutral.has(code) ? 'info' : 'danger'}
      isAnnounced
      title={title ?? entry?.title ?? text('problem.unexpected')}
      hint={
        <>
          {!isTechnical && (entry?.hint ?? text('problem.unexpected.hint'))}
          {isTechnical && <span className="block wrap-anywhere empty:hidden">{message}</span>}
          {!(code && neutral.has(code)) && (
            <span className="figures block text-ink-faint">
              {code ?? UNEXPECTED}
              {typeof requestId === 'string' && ` · ${text('problem.request', { requestId })}`}
            </span>
          )}
        </>
      }
      actions={
        canRetry || actions ? (
          <>
            {canRetry && <Button onClick={onRetry}>{retryLabel ?? text('problem.retry')}</Button>}
            {actions}
          </>
        ) : undefined
      }
    >
      {sentence ?? (isTechnical ? (entry?.hint ?? text('problem.unexpected.hint')) : message)}
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
