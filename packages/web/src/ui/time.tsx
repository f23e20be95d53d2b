/** A moment in the reader's time, with its zone; the machine-readable form is in UTC. */
export function Time({ value }: { value: string | number | Date }) {
  const date = new Date(value)
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()} className="tabular-nums">
      {new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      }).format(date)}
    </time>
  )
}
