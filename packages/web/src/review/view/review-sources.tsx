import type { Chain } from '@countersign/contract'
import type { SubjectReview } from '@countersign/review'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { useWalletElsewhere } from '../../wallet/signing.ts'

/** Lists who names the block against which the facts are proved, and says how far they are. */
export function ReviewSources({
  chain,
  review: { sources, grade },
}: {
  chain: Chain | undefined
  review: Pick<SubjectReview, 'sources' | 'grade'>
}) {
  const elsewhere = useWalletElsewhere(chain?.chainId ?? 0)
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
        {chain?.proof.wallet && elsewhere !== null && (
          <li data-source="elsewhere">{text('sources.elsewhere', { name: showUntrusted(elsewhere, 60) })}</li>
        )}
      </ul>
    </div>
  )
}
