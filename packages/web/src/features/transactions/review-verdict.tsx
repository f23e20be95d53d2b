import type { Finding, Review, Severity } from '@countersign/safe-core'
import { isTextKey, text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Notice } from '../../ui/notice.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'

const verdictTones = { matches: 'good', 'cannot-verify': 'warning', 'do-not-sign': 'danger' } as const
const severityTones: Record<Severity, 'danger' | 'warning' | 'neutral'> = {
  critical: 'danger',
  high: 'danger',
  medium: 'warning',
  low: 'neutral',
  info: 'neutral',
}

/** The answer first: what the review concludes, on what, and why. */
export function ReviewVerdict({ review, blockNumber }: { review: Review; blockNumber: bigint | null }) {
  const counts = countChecks(review)
  return (
    <Section title={text(`verdict.${review.verdict}`)}>
      <div data-verdict={review.verdict} className="mb-6">
        <Notice
          tone={verdictTones[review.verdict]}
          isAnnounced
          hint={
            <span data-check-counts={`${counts.passed} ${counts.failed} ${counts.notChecked}`}>
              {text('verdict.counts', counts)}
              {blockNumber !== null && ` ${text('verdict.block', { block: blockNumber })}`}
            </span>
          }
        >
          <p>{text(`verdict.${review.verdict}.explanation`)}</p>
          {review.verdict === 'do-not-sign' && (
            <p className="mt-2 font-semibold">{text('verdict.do-not-sign.advice')}</p>
          )}
        </Notice>
      </div>
      <Findings findings={review.findings} />
      <Checks review={review} />
    </Section>
  )
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return <p className="mb-4 text-ink-soft">{text('review.findings.none')}</p>
  return (
    <Rows label={text('review.findings')}>
      {findings.map((finding, index) => (
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
              <p className={finding.severity === 'critical' ? 'font-semibold' : ''}>{findingText(finding.id)}</p>
              <Evidence evidence={finding.evidence} />
              <p className="figures mt-1 text-small text-ink-faint">{finding.id}</p>
            </div>
          </div>
        </Row>
      ))}
    </Rows>
  )
}

function Evidence({ evidence }: { evidence: Record<string, string> }) {
  const entries = Object.entries(evidence).filter(([, value]) => value !== '')
  if (entries.length === 0) return null
  return (
    <dl aria-label={text('review.evidence')} className="mt-2 grid gap-x-4 gap-y-1 text-small sm:grid-cols-[8rem_1fr]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-faint">{evidenceLabel(name)}</dt>
          <dd className="figures min-w-0 wrap-anywhere">
            {name === 'call' ? callNumber(value) : showUntrusted(value, 2_000)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Every check by its name; those that did not run are open from the start. */
function Checks({ review }: { review: Review }) {
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
                <li key={id} data-check={id} data-status={status} className="flex items-baseline gap-x-3">
                  <Tag tone={status === 'passed' ? 'good' : status === 'failed' ? 'danger' : 'neutral'}>
                    {text(`check-status.${status}`)}
                  </Tag>
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

export function countChecks({ checks }: Pick<Review, 'checks'>): {
  passed: number
  failed: number
  notChecked: number
} {
  const count = (status: string) => checks.filter((check) => check.status === status).length
  return { passed: count('passed'), failed: count('failed'), notChecked: count('not-checked') }
}

/** The sentence of a finding. A newer core can have ids that this catalogue does not know: they are never silent. */
export function findingText(id: string): string {
  const key = `finding.${id}`
  return isTextKey(key) ? text(key) : text('finding.unknown', { id })
}

export function checkText(id: string): string {
  const key = `check.${id}`
  return isTextKey(key) ? text(key) : text('check.unknown', { id })
}

/** Calls are numbered from one, as in the list of all calls. */
function callNumber(path: string): string {
  return path
    .split('.')
    .map((index) => Number(index) + 1)
    .join('.')
}

function evidenceLabel(name: string): string {
  const key = `evidence.${name}`
  return isTextKey(key) ? text(key) : showUntrusted(name, 40)
}
