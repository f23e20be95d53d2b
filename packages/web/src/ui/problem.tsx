import { errorTable } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { type ReactNode, useEffect, useState } from 'react'
import { type ErrorPiece, errorSentence, errorSentenceText, errorTexts } from '../text/error-text.ts'
import { loadTexts, needTexts, text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Errors by the fault of who answers, not of what was asked: told once, at the top of the page. */
const shared = new Set([
  'SERVER_UNREACHABLE',
  'DATABASE_UNAVAILABLE',
  'OVERLOADED',
  'CHAIN_UNREACHABLE',
  'CHAIN_ID_MISMATCH',
])

/** Tells errors that every query of the page has alike. The banner of the page shows them. */
export function isShared(error: unknown): error is CountersignError {
  return error instanceof CountersignError && shared.has(error.code)
}

/** The error of a query. One that the banner shows is not said a second time; `isStale`: what was read before is there. */
export function QueryProblem({
  error,
  isStale = false,
  onRetry,
}: {
  error: unknown
  isStale?: boolean
  onRetry?: () => void
}) {
  if (!isShared(error)) return <Problem error={error} onRetry={onRetry} />
  return isStale ? null : <NotLoaded />
}

/** In the place of what could not be asked for. */
export function NotLoaded() {
  return (
    <p data-not-loaded className="py-3 text-ink-soft">
      {text('problem.told')}
    </p>
  )
}

/** An error for as long as what it was about: null once `about` is another than when it came. */
export function useFreshError(error: Error | null, about: string): Error | null {
  const [seen, setSeen] = useState<{ error: Error; about: string }>()
  if (error && seen?.error !== error) setSeen({ error, about })
  return error && (seen?.error !== error || seen.about === about) ? error : null
}

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
  const isLoading = useErrorTexts(error instanceof CountersignError && isListed(error.code) ? error.code : undefined)
  useEffect(() => {
    if (!(error instanceof CountersignError)) console.warn(error)
  }, [error])
  if (isLoading) return null
  const described = describeError(error)
  const canRetry = onRetry && described.isRetryable
  return (
    <Notice
      tone={described.tone === 'neutral' ? 'info' : 'danger'}
      isAnnounced
      title={title ?? described.title}
      hint={<ErrorDetails {...described} />}
      actions={
        canRetry || actions ? (
          <>
            {canRetry && <Button onClick={onRetry}>{retryLabel ?? text('problem.retry')}</Button>}
            {actions}
          </>
        ) : undefined
      }
    >
      {sentence ?? (described.tone === 'technical' ? described.remedy : described.message)}
    </Notice>
  )
}

/** An error in the reader's language. */
type DescribedError = {
  code: string
  /** `technical`: the remedy matters to the reader, the message to an operator. */
  tone: (typeof errorTable)[keyof typeof errorTable]['tone']
  title: string
  remedy: string
  message: ReactNode
  requestId: string | null
  isRetryable: boolean
}

function describeError(error: unknown): DescribedError {
  const [title, remedy] = [text('problem.unexpected'), text('problem.unexpected.hint')]
  // A message of the language or of a library helps to find the cause, but not the reader.
  if (!(error instanceof CountersignError))
    return { code: UNEXPECTED, tone: 'technical', title, remedy, message: null, requestId: null, isRetryable: true }
  const { code } = error
  const { requestId, reason } = error.data
  const entry = isListed(code) ? errorTable[code] : { tone: 'technical' as const, retry: 'on-request' as const }
  const texts = errorTexts(code, reason) ?? { title, hint: remedy }
  const pieces = errorSentence(error)
  return {
    code,
    tone: entry.tone,
    title: texts.title,
    remedy: texts.hint,
    message: pieces && <Sentence pieces={pieces} />,
    requestId: typeof requestId === 'string' ? requestId : null,
    isRetryable: entry.retry === 'at-once' || entry.retry === 'on-request',
  }
}

/** The part below the sentence: what to do, or the message if it is technical, and the code. */
function ErrorDetails({ code, tone, remedy, message, requestId }: DescribedError) {
  return (
    <>
      {tone === 'technical' ? <span className="block wrap-anywhere empty:hidden">{message}</span> : remedy}
      {tone !== 'neutral' && (
        <span className="figures block text-ink-faint">
          {code}
          {requestId !== null && ` · ${text('problem.request', { requestId })}`}
        </span>
      )}
    </>
  )
}

/** The reason for an error in a row of a list: its sentence, or its title if it is technical. Empty until its texts are loaded. */
export function ErrorReason({ error }: { error: CountersignError }) {
  const { code } = error
  if (useErrorTexts(code)) return null
  const isTechnical = isListed(code) && errorTable[code].tone === 'technical'
  return (isTechnical && errorTexts(code)?.title) || errorSentenceText(error)
}

/** Loads the texts of errors for a code whose texts are not there yet; true until they are, or cannot be. */
function useErrorTexts(code: string | undefined): boolean {
  const [tried, setTried] = useState<string>()
  const isMissing = code !== undefined && errorTexts(code) === null
  useEffect(() => {
    if (!isMissing) return
    const done = () => setTried(code)
    needTexts('errors')
    loadTexts().then(done, done)
  }, [code, isMissing])
  return isMissing && tried !== code
}

function Sentence({ pieces }: { pieces: readonly ErrorPiece[] }) {
  return pieces.map((piece, index) =>
    piece.kind === 'code' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
      <code key={index} className="figures text-small">
        {piece.text}
      </code>
    ) : (
      piece.text
    ),
  )
}

function isListed(code: string): code is keyof typeof errorTable {
  return code in errorTable
}
