import type { ReactNode } from 'react'

/** Nothing here yet, why, and what to do about it. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="border-y border-rule py-8">
      <p className="text-lead font-medium">{title}</p>
      {children && <div className="mt-1 max-w-prose wrap-anywhere text-ink-soft">{children}</div>}
      {actions && <div className="mt-4 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
