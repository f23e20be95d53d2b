import type { Chain } from '@countersign/contract'
import type { CheckScope, SubjectReview } from '@countersign/review'
import type { ReactNode } from 'react'
import { isTextKey, text } from '../../safe/text.ts'
import { Fold } from '../../ui/fold.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Details } from '../../ui/section.tsx'
import { ReviewSources } from './review-sources.tsx'
import { countChecks } from './verdict-band.tsx'

/** The head of the list says it in words. */
const marks = {
  failed: { mark: <Mark kind="cross" />, look: 'text-danger' },
  'not-checked': { mark: '?', look: 'text-ink-soft' },
  passed: { mark: <Mark kind="tick" />, look: 'text-accent' },
} as const

/** Every check by its name; those that did not run are open from the start. */
export function ReviewChecks({
  chain,
  review,
  children,
}: {
  chain: Chain | undefined
  review: SubjectReview
  children: ReactNode
}) {
  const of = (status: 'passed' | 'failed' | 'not-checked') => review.checks.filter((check) => check.status === status)
  const { passed, failed, notChecked } = countChecks(review)
  return (
    <Fold
      title={text('review.checks')}
      result={text('review.checks.result', { passed, total: passed + failed + notChecked })}
    >
      <ReviewSources chain={chain} review={review} />
      {children}
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
              {checks.map(({ id, scope }) => (
                <li key={id} data-check={id} data-status={status} className="flex gap-x-2.5">
                  <span aria-hidden className={`figures w-3 shrink-0 text-center ${marks[status].look}`}>
                    {marks[status].mark}
                  </span>
                  <span className="min-w-0">{checkText(id, scope)}</span>
                </li>
              ))}
            </ul>
          </Details>
        )
      })}
    </Fold>
  )
}

/** Returns the label of a check. For a passed check it states only what was proved. */
export function checkText(id: string, scope?: CheckScope): string {
  const scoped = `check.${id}.${scope}`
  if (isTextKey(scoped)) return text(scoped)
  const key = `check.${id}`
  return isTextKey(key) ? text(key) : text('check.unknown', { id })
}
