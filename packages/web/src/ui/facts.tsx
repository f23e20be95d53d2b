import type { ReactNode } from 'react'

/** Label and value, line by line, ruled like a ledger. Where it is narrow the label stands above its value. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="@container group border-t border-rule">{children}</dl>
}

/** Lists facts whose labels are one short word, beside their value at any width. */
export function ShortFacts({ children }: { children: ReactNode }) {
  return (
    <dl data-short className="@container group border-t border-rule">
      {children}
    </dl>
  )
}

/** `actions`: links to what changes it, at the end of the line; where it is narrow, below the value. */
export function Fact({
  label,
  children,
  hint,
  actions,
}: {
  label: ReactNode
  children: ReactNode
  hint?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-b border-rule py-2.5 group-data-short:grid-cols-[min(7rem,40%)_minmax(0,1fr)] group-data-short:gap-x-3 group-data-short:py-1.5 @md:grid-cols-[11rem_minmax(0,1fr)] @md:group-data-short:grid-cols-[11rem_minmax(0,1fr)] @md:group-data-short:py-2.5">
      <dt className="text-small text-ink-faint @md:pt-0.5">{label}</dt>
      <dd className="min-w-0 wrap-anywhere @2xl:flex @2xl:items-baseline @2xl:justify-between @2xl:gap-x-6">
        <div className="min-w-0">
          {children}
          {hint && <p className="text-small text-ink-soft">{hint}</p>}
        </div>
        {actions}
      </dd>
    </div>
  )
}
