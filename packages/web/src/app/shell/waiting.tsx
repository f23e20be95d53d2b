import { text } from './text.ts'

/** How much waits for the reader, in a section's line. */
export function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span
      role="img"
      data-waiting={count}
      aria-label={text('workspace.waiting', { count })}
      className="ml-auto min-w-5 rounded-full bg-accent px-1.5 text-center text-[0.75rem] leading-5 font-semibold text-on-accent tabular-nums"
    >
      {count}
    </span>
  )
}
