import { isClosed, type SubjectReview, type Verdict } from '@countersign/review'
import type { ReactNode } from 'react'
import { text } from '../../safe/text.ts'
import { VerdictMark } from '../../safe/words/verdict-mark.tsx'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { type ShownVerdict, shownVerdict, verdictTitle } from '../../safe/words/verdict-words.ts'
import { anchors } from '../sign/decision-bar.tsx'

const looks = {
  matches: 'bg-accent-wash text-accent',
  'matches-one-node': 'bg-sunk text-ink',
  'matches-with-warnings': 'bg-warning-wash text-warning',
  'cannot-verify': 'bg-unsure-wash text-unsure',
  'do-not-sign': 'bg-stop text-on-stop',
  checking: 'bg-sunk text-ink-faint',
  done: 'bg-done text-on-done',
  failed: 'bg-warning-wash text-warning',
} as const

/** The head of the decision: a shape, a headline, a sentence. */
function Band({
  look,
  mark,
  title,
  children,
  anchor,
}: {
  look: keyof typeof looks
  mark: ShownVerdict | 'checking'
  title: string
  children: ReactNode
  anchor?: string
}) {
  const isFilled = look === 'do-not-sign' || look === 'done'
  return (
    <div
      role={look === 'do-not-sign' ? 'alert' : 'status'}
      className={`grid grid-cols-[26px_minmax(0,1fr)] gap-x-3 px-4 py-3 sm:px-4.5 ${looks[look]}`}
    >
      <VerdictMark of={mark} />
      <div>
        <h2 id={anchor} tabIndex={-1} className="scroll-mt-6 text-lead font-semibold outline-none">
          {title}
        </h2>
        <div className={`text-small ${isFilled ? '' : 'text-ink'}`}>{children}</div>
      </div>
    </div>
  )
}

/** The verdict: what the review concludes, and on how many checks. `says`: the same in words of another kind of subject. */
export function VerdictBand({
  review,
  blockNumber,
  says,
  advice = text('verdict.do-not-sign.advice'),
}: {
  review: SubjectReview
  blockNumber: bigint | null
  says?: (verdict: Verdict) => string
  advice?: string
}) {
  const counts = countChecks(review)
  const { verdict } = review
  const shown = shownVerdict(review)
  const hasBlock = blockNumber !== null || review.kind === 'creation'
  return (
    <div data-verdict={verdict} data-grade={review.grade}>
      <Band look={shown} mark={shown} title={verdictTitle(summarizeVerdict(review))} anchor={anchors.verdict}>
        <p>{says ? says(verdict) : explanationOf(review)}</p>
        {verdict !== 'do-not-sign' && hasBlock && !review.hasEnoughSources && (
          <p className="mt-1">{text('verdict.one-node.missing')}</p>
        )}
        {verdict === 'do-not-sign' && (
          <p className="mt-1 font-semibold">{isClosed(review) ? advice : text('verdict.do-not-sign.power')}</p>
        )}
        <p
          data-check-counts={`${counts.passed} ${counts.failed} ${counts.notChecked}`}
          className={`mt-1 ${verdict === 'do-not-sign' ? '' : 'text-ink-soft'}`}
        >
          {text('verdict.counts', counts)}
          {blockNumber !== null && ` ${text('verdict.block', { block: blockNumber })}`}
        </p>
      </Band>
    </div>
  )
}

/** Where only the reading of a call is missing, an answer opens the button; then nothing says that it stays closed. */
function explanationOf(review: SubjectReview): string {
  const { verdict } = review
  const isOpen = verdict === 'cannot-verify' && !isClosed(review)
  return text(isOpen ? 'verdict.cannot-verify.open' : `verdict.${verdict}.explanation`)
}

/** As high as the verdict that will stand here, so that nothing moves when it does. */
export function CheckingBand({ label }: { label: string }) {
  return (
    <Band look="checking" mark="checking" title={text('verdict.checking')}>
      <p className="min-h-16">{label}</p>
    </Band>
  )
}

/** The outcome: nothing is left to decide. */
export function OutcomeBand({ isFailed, children }: { isFailed: boolean; children: ReactNode }) {
  return (
    <Band
      look={isFailed ? 'failed' : 'done'}
      mark={isFailed ? 'matches-with-warnings' : 'matches'}
      title={text(isFailed ? 'transaction.notice.failed' : 'transaction.notice.executed')}
      anchor={anchors.verdict}
    >
      {children}
    </Band>
  )
}

export function countChecks({ checks }: Pick<SubjectReview, 'checks'>): {
  passed: number
  failed: number
  notChecked: number
} {
  const count = (status: string) => checks.filter((check) => check.status === status).length
  return { passed: count('passed'), failed: count('failed'), notChecked: count('not-checked') }
}
