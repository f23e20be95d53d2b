import type { MultisigTransaction } from '@countersign/contract'
import { serverNow } from '../../device/server-time.ts'
import { UnreadHistory } from '../../review/sign/unread-history.tsx'
import type { ReviewView } from '../../review/use-review.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'

/** Time after sending for which an execution may explain a used nonce. */
const AWAITED_MS = 120_000

/** Notices above the review: what was edited, a used nonce, and what could not be read. */
export function PageNotices({ view, transaction }: { view: ReviewView; transaction: MultisigTransaction }) {
  const { state, review } = view
  const isEdited = review?.findings.some(({ id }) => id === 'PROPOSAL-EDITED')
  // An execution that was just sent is probably what used it. Only for a moment: that one was sent is a claim.
  const sent = transaction.pendingExecution?.submissionDate
  const isAwaited = sent !== undefined && serverNow() - Date.parse(sent) < AWAITED_MS
  const isPast = !transaction.isExecuted && state && transaction.safeTx && transaction.safeTx.nonce < state.nonce
  const isUsed = isPast && !isAwaited
  return (
    <div className="grid gap-4 not-empty:my-4">
      {isEdited && (
        <Notice tone="danger" isAnnounced title={text('transaction.edited')}>
          {text('transaction.edited.sentence')}
        </Notice>
      )}
      {isUsed && (
        <Notice tone="warning" isAnnounced title={text('transaction.used')}>
          {text('transaction.used.sentence', { nonce: transaction.safeTx?.nonce ?? 0n })}
        </Notice>
      )}
      {view.isOffline && (
        <Notice tone="warning" isAnnounced title={text('transaction.offline')}>
          {text('transaction.offline.sentence')}
        </Notice>
      )}
      {view.stateError && <QueryProblem error={view.stateError} isStale onRetry={view.retry} />}
      {!transaction.isExecuted && <UnreadHistory view={view} />}
    </div>
  )
}
