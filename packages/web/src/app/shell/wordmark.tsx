import { text } from '../../text/text.ts'

/** The mark: a ruled line with the second signature on it. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5 text-lead font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 text-accent" fill="none" stroke="currentColor">
        <path d="M2 6.5h20M2 20.5h13" strokeWidth="1.5" />
        <path d="M4 13.5l4.5 4L20 9.5" strokeWidth="2.75" />
      </svg>
      <span className="max-[359px]:sr-only">{text('app.name')}</span>
    </span>
  )
}
