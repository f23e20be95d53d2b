import { type Finding, isClosed, type Severity, type SubjectReview, type Verdict } from '@countersign/safe-core'
import { Mark } from '../../ui/mark.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { anchors } from '../decision-bar.tsx'
import { evidenceLines, findingWords } from '../finding-words.ts'
import type { Names } from '../names.ts'
import { isTextKey, text } from '../text.ts'
import { verdictTitle } from '../verdict-words.ts'

const verdictTones = {
  matches: 'good',
  'matches-with-warnings': 'warning',
  'cannot-verify': 'warning',
  'do-not-sign': 'danger',
} as const
const severityTones: Record<Severity, 'danger' | 'warning' | 'neutral'> = {
  critical: 'danger',
  high: 'danger',
  medium: 'warning',
  low: 'neutral',
  info: 'neutral',
}

/** The answer first: what the review concludes, on what, and why. `says`: the same in words of another kind of subject. */
export function ReviewVerdict({
  review,
  blockNumber,
  names,
  says = (verdict) => text(`verdict.${verdict}.explanation`),
  advice = text('verdict.do-not-sign.advice'),
  none,
}: {
  review: SubjectReview
  blockNumber: bigint | null
  names: Names
  says?: (verdict: Verdict) => string
  advice?: string
  none?: string | undefined
}) {
  const counts = countChecks(review)
  const { verdict } = review
  return (
    <Section title={verdictTitle(review)} anchor={anchors.verdict}>
      <div data-verdict={verdict} className="mb-6">
        <Notice
          tone={verdictTones[verdict]}
          isAnnounced
          hint={
            <span data-check-counts={`${counts.passed} ${counts.failed} ${counts.notChecked}`}>
              {text('verdict.counts', counts)}
              {blockNumber !== null && ` ${text('verdict.block', { block: blockNumber })}`}
            </span>
          }
        >
          <p>{says(verdict)}</p>
          {verdict === 'do-not-sign' && (
            <p className="mt-2 font-semibold">{isClosed(review) ? advice : text('verdict.do-not-sign.power')}</p>
          )}
        </Notice>
      </div>
      {/* What was not looked at stands below, check by check. */}
      <Findings findings={review.findings.filter((found) => !isListed(found, review))} names={names} none={none} />
      <Checks review={review} />
    </Section>
  )
}

/** Whether the list of checks says it. */
function isListed({ id, evidence }: Finding, { checks }: SubjectReview): boolean {
  return id === 'INPUT-MISSING' && checks.some((check) => check.id === evidence.check)
}

/** What was found, worst first. `none`: the words for nothing. */
function Findings({
  findings,
  names,
  none = text('review.findings.none'),
}: {
  findings: readonly Finding[]
  names: Names
  none?: string | undefined
}) {
  if (findings.length === 0) return <p className="mb-4 text-ink-soft">{none}</p>
  return (
    <Rows label={text('review.findings')}>
      {findings.map((finding, index) => {
        const words = findingWords(finding.id)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: one id can be found several times
          <Row key={`${finding.id} ${index}`}>
            <div
              data-finding={finding.id}
              data-severity={finding.severity}
              className="grid gap-2 sm:grid-cols-[6rem_1fr]"
            >
              <div>
                <Tag tone={severityTones[finding.severity]}>{text(`severity.${finding.severity}`)}</Tag>
              </div>
              <div className="min-w-0">
                <p className="font-semibold">{words.title}</p>
                <p>{words.meaning}</p>
                <p className={finding.severity === 'critical' ? 'mt-1 font-semibold' : 'mt-1 text-ink-soft'}>
                  {text('review.action')} {words.action}
                </p>
                <Evidence finding={finding} names={names} />
                <p className="figures mt-1 text-small text-ink-faint">{finding.id}</p>
              </div>
            </div>
          </Row>
        )
      })}
    </Rows>
  )
}

function Evidence({ finding, names }: { finding: Finding; names: Names }) {
  const lines = evidenceLines(finding, names)
  if (lines.length === 0) return null
  return (
    <dl
      aria-label={text('review.evidence')}
      className="mt-2 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-small sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-x-4"
    >
      {lines.map(({ name, label, value }) => (
        <div key={name} className="contents" data-evidence={name}>
          <dt className="text-ink-faint">{label}</dt>
          <dd className="figures min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The head of the list says it in words. */
const marks = {
  failed: { mark: <Mark kind="cross" />, look: 'text-danger' },
  'not-checked': { mark: '?', look: 'text-ink-soft' },
  passed: { mark: <Mark kind="tick" />, look: 'text-accent' },
} as const

/** Every check by its name; those that did not run are open from the start. */
function Checks({ review }: { review: SubjectReview }) {
  const of = (status: 'passed' | 'failed' | 'not-checked') => review.checks.filter((check) => check.status === status)
  return (
    <div className="mt-6">
      {(['failed', 'not-checked', 'passed'] as const).map((status) => {
        const checks = of(status)
        if (checks.length === 0) return null
        return (
          <Details
            key={status}
            isOpen={status !== 'passed'}
            summary={text(`review.checks.${status}`, { count: checks.length })}
          >
            {status === 'not-checked' && (
              <p className="mb-2 text-small text-ink-soft">{text('review.checks.not-checked.explanation')}</p>
            )}
            <ul className="grid gap-1">
              {checks.map(({ id }) => (
                <li key={id} data-check={id} data-status={status} className="flex gap-x-2.5">
                  <span aria-hidden className={`figures w-3 shrink-0 text-center ${marks[status].look}`}>
                    {marks[status].mark}
                  </span>
                  <span className="min-w-0">{checkText(id)}</span>
                </li>
              ))}
            </ul>
          </Details>
        )
      })}
    </div>
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

export function checkText(id: string): string {
  const key = `check.${id}`
  return isTextKey(key) ? text(key) : text('check.unknown', { id })
}
