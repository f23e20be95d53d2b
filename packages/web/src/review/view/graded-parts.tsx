import {
  countedBalances,
  type FactGrade,
  finishedRun,
  type GradedPart,
  type Facts as ReviewFacts,
  type SubjectReview,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { ReactNode } from 'react'
import { gradeMarks } from '../../evidence/simulation/run-line.tsx'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { isTextKey, text } from '../../safe/words/finding-text.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Details } from '../../ui/section.tsx'

const grades = ['proved', 'one-node', 'unknown'] as const satisfies readonly FactGrade[]

/** Each fact that a review shows of the chain, with its own worth; the line that is folded counts them by that. */
export function GradedParts({
  review: { parts, sources },
  state,
  facts,
  names,
}: {
  review: Pick<SubjectReview, 'parts' | 'sources'>
  state: SafeState | undefined
  facts: ReviewFacts
  names: Names
}) {
  const counts = grades
    .map((grade) => ({ grade, count: parts.filter((part) => part.grade === grade).length }))
    .filter(({ count }) => count > 0)
  return (
    <Details
      hasRule={false}
      summary={
        <span data-parts={counts.map(({ grade, count }) => `${grade} ${count}`).join()}>
          {text('parts.title')}
          <span className="text-small font-normal text-ink-faint">
            {' · '}
            {counts.map(({ grade, count }) => text(`parts.${grade}`, { count })).join(' · ')}
          </span>
        </span>
      }
    >
      {sources?.blocks.map(({ number, hash }) => (
        <p key={hash} className="mb-2 text-small text-ink-soft">
          {text('part.block', { number })} <Hash hash={hash} />
        </p>
      ))}
      <Facts>
        {parts.map(({ part, grade }) => (
          <Fact key={part} label={labelOf(part)}>
            <div data-part={part} data-part-grade={grade} className="grid gap-y-0.5">
              {shownOf(part, { state, facts, names })}
              <span className={`text-small ${grade === 'proved' ? 'text-ink-faint' : 'text-ink'}`}>
                <span aria-hidden>{gradeMarks[grade]} </span>
                {text(`part.grade.${grade}`)}
              </span>
            </div>
          </Fact>
        ))}
      </Facts>
    </Details>
  )
}

function labelOf(part: GradedPart['part']): string {
  const key = `configuration.${part}`
  return isTextKey(key) ? text(key) : text(`part.${part as 'nonce'}`)
}

type Shown = { state: SafeState | undefined; facts: ReviewFacts; names: Names }

/** As it was read. What nobody read has no value, and says by its grade that it is unknown. */
function shownOf(part: GradedPart['part'], { state, facts, names }: Shown): ReactNode {
  const run = finishedRun(facts)
  const addresses = (of: readonly `0x${string}`[]) =>
    of.length === 0
      ? text('configuration.none')
      : of.map((address) => <Address key={address} address={address} name={nameOf(address, names)} hasAvatar={false} />)
  switch (part) {
    case 'balances':
      return run && <span className="figures">{countedBalances(run, names.safeAddress).length}</span>
    case 'approvals':
      return run && <span className="figures">{run.approvals.length}</span>
  }
  if (state === undefined) return null
  switch (part) {
    case 'threshold':
    case 'nonce':
      return <span className="figures">{state[part].toString()}</span>
    case 'owners':
    case 'modules':
      return addresses(state[part])
    case 'code':
      return <Hash hash={state.proxyCodeHash} />
    case 'singletonCode':
      return <Hash hash={state.singletonCodeHash} />
    default:
      return addresses(state[part] === null ? [] : [state[part]])
  }
}
