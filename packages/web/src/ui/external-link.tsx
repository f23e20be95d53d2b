import type { ReactNode } from 'react'
import { text } from '../text/text.ts'

/** A link that leaves the product, in a tab of its own that learns nothing about this one. */
export function ExternalLink({ href, label, children }: { href: string; label?: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label && `${label} (${text('link.newTab')})`}
      className="inline-flex min-h-6 items-center gap-1 text-small text-accent underline decoration-rule-strong underline-offset-4 hover:decoration-current"
    >
      {children}
      <svg aria-hidden="true" viewBox="0 0 12 12" className="size-2.5 shrink-0" fill="none" stroke="currentColor">
        <path d="M4 2H2v8h8V8M6.5 1.5h4v4M10.5 1.5 5.5 6.5" strokeWidth="1.4" />
      </svg>
      {!label && <span className="sr-only">({text('link.newTab')})</span>}
    </a>
  )
}
