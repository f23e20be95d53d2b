import { formatAge, formatTime } from '../../text/locale.ts'

/** How long ago something was, with the full time on hover; the machine-readable form is in UTC. */
export function Age({
  value,
  now,
}: {
  value: string /** Milliseconds since 1970, by a clock that is right. */
  now: number
}) {
  const date = new Date(value)
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)} className="whitespace-nowrap">
      {formatAge(date, now)}
    </time>
  )
}
