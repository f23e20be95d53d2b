import { showUntrusted } from '../../text/untrusted.ts'
import type { DescribedField } from './describe.ts'

/** Values as a descriptor of the ERC-7730 registry words them. */
export function DescribedFields({ fields }: { fields: readonly DescribedField[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
      {fields.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields of one subject never move
        <div key={index} className="contents">
          <dt className="min-w-0 text-ink-faint wrap-anywhere">{showUntrusted(label, 100)}</dt>
          <dd className="min-w-0 wrap-anywhere">{showUntrusted(value, 500)}</dd>
        </div>
      ))}
    </dl>
  )
}
