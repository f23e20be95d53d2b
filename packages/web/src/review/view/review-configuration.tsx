import {
  executedRun,
  finishedRun,
  type Review,
  type Facts as ReviewFacts,
  type SafeConfiguration,
} from '@countersign/review'
import { RunLine } from '../../evidence/simulation/run-line.tsx'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Address } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StoryRow } from '../../ui/row/story-row.tsx'
import { isAllRead } from './is-all-read.ts'

const fields = ['singleton', 'owners', 'threshold', 'modules', 'guard', 'moduleGuard', 'fallbackHandler'] as const

/** Changes in the Safe itself. That there are none is said too, but only over calls that were all read. */
export function ReviewConfiguration({
  review,
  facts,
  isStateKnown,
  isSettled,
  names,
}: {
  review: Review
  facts: ReviewFacts
  isStateKnown: boolean
  isSettled: boolean
  names: Names
}) {
  const { configuration } = review
  const run = executedRun(facts)
  const isCertain = run !== null || (isAllRead(review) && (isSettled || finishedRun(facts) !== null))
  return (
    <StoryRow title={text('review.configuration')}>
      {configuration === null ? (
        <Notice tone={isStateKnown ? 'danger' : 'warning'}>
          {text(isStateKnown ? 'configuration.unknown' : 'configuration.not-read')}
        </Notice>
      ) : configuration.changed ? (
        <Changes before={configuration.before} after={configuration.after} names={names} />
      ) : (
        <p data-configuration={isCertain ? 'no-change' : 'not-known'}>
          {isCertain ? (
            <>
              <strong className="font-semibold">{text('configuration.no-change')}</strong>{' '}
              {text(run ? 'run.no-change.what' : 'configuration.no-change.what')}
            </>
          ) : (
            text('configuration.unread')
          )}
        </p>
      )}
      {run && configuration?.changed && <RunLine run={run} />}
    </StoryRow>
  )
}

function Changes({ before, after, names }: { before: SafeConfiguration; after: SafeConfiguration; names: Names }) {
  return (
    <Facts>
      {fields.map((field) => {
        const was = valuesOf(before[field])
        const becomes = valuesOf(after[field])
        if (was.join() === becomes.join()) return null
        return (
          <Fact key={field} label={text(`configuration.${field}`)}>
            <div className="grid gap-3 sm:grid-cols-2">
              <Values label={text('configuration.was')} values={was} others={becomes} names={names} />
              <Values label={text('configuration.becomes')} values={becomes} others={was} names={names} />
            </div>
          </Fact>
        )
      })}
    </Facts>
  )
}

function Values({ label, values, others, names }: { label: string; values: string[]; others: string[]; names: Names }) {
  return (
    <div className="min-w-0">
      <p className="text-small text-ink-faint">{label}</p>
      {values.length === 0 && <p>{text('configuration.none')}</p>}
      <ul className="grid gap-1">
        {values.map((value) => (
          <li key={value} className={others.includes(value) ? '' : 'border-l-2 border-danger pl-2'}>
            {value.startsWith('0x') ? (
              <Address address={value} name={nameOf(value, names)} hasAvatar={false} />
            ) : (
              <span className="figures">{value}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function valuesOf(value: string | number | readonly string[] | null): string[] {
  if (value === null) return []
  return typeof value === 'object' ? [...value] : [String(value)]
}
