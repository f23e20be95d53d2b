/** A line that says what is being waited for. */
export function Loading({ label }: { label: string }) {
  return (
    <p role="status" className="flex items-center gap-2.5 py-3 text-ink-soft">
      <span aria-hidden className="breathing size-2 rounded-full bg-accent" />
      {label}
    </p>
  )
}

/** Empty ledger lines where content will stand; `label` says what is coming. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="breathing">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content
        <div key={index} className="flex h-12 items-center border-b border-rule">
          <span className={`h-2.5 rounded-control bg-rule ${['w-2/3', 'w-1/2', 'w-3/5'][index % 3]}`} />
        </div>
      ))}
    </div>
  )
}
