import type { SubjectReview } from '@countersign/safe-core'
import { showUntrusted } from '../../text/untrusted.ts'
import { text } from '../text.ts'

/** Lists who names the block against which the facts are proved, and says how far they are. */
export function ReviewSources({ review: { sources, grade } }: { review: Pick<SubjectReview, 'sources' | 'grade'> }) {
  if (sources === null) return null
  const { count, needed, said } = sources
  return (
    <div data-sources={`${count} ${needed}`} className="mb-3 text-small">
      <p>{text(`sources.grade.${grade}`)}</p>
      <p className="text-ink-soft">{text('sources.count', { count, needed })}</p>
      <ul>
        {said.map(({ name, says }) => (
          <li key={name} data-source={says}>
            {text(`sources.${says}`, { name: showUntrusted(name, 60) })}
          </li>
        ))}
      </ul>
    </div>
  )
}
