import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { underlined } from './text-link.tsx'

const looks = {
  link: `min-h-6 gap-1 text-small text-accent ${underlined}`,
  button:
    'min-h-11 gap-2 rounded-control border border-rule-strong bg-raised px-4 py-2 font-semibold leading-5 text-ink hover:border-ink hover:bg-sunk',
}

/** A link that leaves the product, in a tab of its own that learns nothing about this one. */
export function ExternalLink({
  href,
  label,
  isButton = false,
  children,
}: {
  href: string
  label?: string
  /** Where following it is what comes next. */
  isButton?: boolean
  children: ReactNode
}) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label && `${label} (${text('link.newTab')})`}
      className={`inline-flex items-center ${isButton ? looks.button : looks.link}`}
    >
      {children}
      <svg aria-hidden="true" viewBox="0 0 12 12" className="size-2.5 shrink-0" fill="none" stroke="currentColor">
        <path d="M4 2H2v8h8V8M6.5 1.5h4v4M10.5 1.5 5.5 6.5" strokeWidth="1.4" />
      </svg>
      {!label && <span className="sr-only">({text('link.newTab')})</span>}
    </a>
  )
}
