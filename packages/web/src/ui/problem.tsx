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
  const code = error instanceof CountersignError ? error.code : undefined
  const entry = code && isListed(code) ? errorTable[code] : undefined
  const isLoading = useErrorTexts(entry && code)
  const { requestId, reason } = error instanceof CountersignError ? error.data : {}
  const texts = code ? errorTexts(code, reason) : null
  const isTechnical = !entry || entry.tone === 'technical'
  const isNeutral = entry?.tone === 'neutral'
  // Messages of the language itself or of a library help to find the cause, not the reader.
  const pieces = error instanceof CountersignError ? errorSentence(error) : null
  const message = pieces && <Sentence pieces={pieces} />
  useEffect(() => {
    if (!code) console.warn(error)
  }, [code, error])
  const canRetry = onRetry && (!entry || entry.retry === 'at-once' || entry.retry === 'on-request')
  if (isLoading) return null
  return (
    <Notice
      tone={isNeutral ? 'info' : 'danger'}
      isAnnounced
      title={title ?? texts?.title ?? text('problem.unexpected')}
      hint={
        <>
          {!isTechnical && (texts?.hint ?? text('problem.unexpected.hint'))}
          {isTechnical && <span className="block wrap-anywhere empty:hidden">{message}</span>}
          {!isNeutral && (
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
      {sentence ?? (isTechnical ? (texts?.hint ?? text('problem.unexpected.hint')) : message)}
    </Notice>
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
