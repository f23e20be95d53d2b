import { formatTime } from '../../text/locale.ts'

/** A moment in the reader's time, with its zone; the machine-readable form is in UTC. */
export function Time({ value }: { value: string | number | Date }) {
  const date = new Date(value)
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()} className="tabular-nums">
      {formatTime(date)}
    </time>
  )
}
