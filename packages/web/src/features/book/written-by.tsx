import { Address } from '../../ui/address.tsx'
import { Time } from '../../ui/time.tsx'
import { text } from './text.ts'

/** Who wrote an entry, and when. */
export function WrittenBy({ author, at }: { author: string; at: string }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-ink-soft">
      <Time value={at} />
      <span>{text('book.by')}</span>
      <Address address={author} isCopyable={false} />
    </p>
  )
}
