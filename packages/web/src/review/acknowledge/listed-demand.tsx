import { type Finding, writtenEvidence } from '@countersign/review'
import { useState } from 'react'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Sentence } from '../../safe/words/sentence.tsx'
import { FoldArrow } from '../../ui/fold.tsx'
import { demandWords, listTitle, thingSentence } from './demand-sentence.ts'
import type { DemandProps } from './use-acknowledgements.ts'

/** As many as are named before somebody asks for all. */
const MAX_SHOWN = 3

/** Many things of one kind, with one box: how many there are, the first of them, and all when somebody asks. */
export function ListedDemand({ demand, given, names, onAnswer }: DemandProps) {
  const { finding, things, way } = demand
  const [wasOpened, setWasOpened] = useState(false)
  const rest = things.slice(MAX_SHOWN)
  return (
    <div className="grid gap-2" data-demand={finding.id} data-way={way} data-things={things.length}>
      <label className="flex min-h-11 items-start gap-3">
        <input
          type="checkbox"
          checked={given !== undefined}
          onChange={({ target }) => onAnswer(demand, target.checked ? { words: demandWords(demand, names) } : null)}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0 wrap-anywhere">{listTitle(demand)}</span>
      </label>
      <div className="pl-7">
        <DemandFindings things={things.slice(0, MAX_SHOWN)} first={1} names={names} />
        <details onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
          <summary className="flex min-h-11 list-none items-center gap-2.5 [&::-webkit-details-marker]:hidden">
            <FoldArrow />
            <span className="font-semibold">{text('acknowledge.list.more', { count: rest.length })}</span>
          </summary>
          {wasOpened && <DemandFindings things={rest} first={MAX_SHOWN + 1} names={names} />}
        </details>
      </div>
    </div>
  )
}

function DemandFindings({ things, first, names }: { things: readonly Finding[]; first: number; names: Names }) {
  return (
    <ol className="grid list-decimal gap-2 pl-7 text-small" start={first}>
      {things.map((thing) => (
        <li key={JSON.stringify(writtenEvidence(thing.evidence))} className="wrap-anywhere">
          <Sentence parts={thingSentence(thing, names)} names={names} />
        </li>
      ))}
    </ol>
  )
}
