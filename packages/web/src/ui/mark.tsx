/** A tick or a cross, drawn: not every font has them. What it means stands beside it in words. */
export function Mark({ kind }: { kind: 'tick' | 'cross' }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 12 12" className="inline size-3" fill="none" stroke="currentColor">
      <path d={kind === 'tick' ? 'M1.5 6.5 4.5 9.5 10.5 2.5' : 'M2.5 2.5l7 7M9.5 2.5l-7 7'} strokeWidth="1.75" />
    </svg>
  )
}
