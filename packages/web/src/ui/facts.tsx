import type { ReactNode } from 'react'

/** Label and value, line by line, ruled like a ledger. Where it is narrow the label stands above its value. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="@container border-t border-rule">{children}</dl>
}

export function Fact({ label, children, hint }: { label: ReactNode; children: ReactNode; hint?: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-b border-rule py-2.5 @md:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-small text-ink-faint @md:pt-0.5">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {children}
        {hint && <p className="text-small text-ink-soft">{hint}</p>}
      </dd>
    </div>
  )
}
