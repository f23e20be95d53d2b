import { type ReactNode, useEffect } from 'react'
import { text } from '../text/text.ts'

/** Names the window's tab after the page, the most particular first. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = [...parts, text('app.name')].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}

/**
 * The head of a page: what this is, in one line, over the double rule; then what it is about and what it is for. After a
 * change of the page the focus goes to its title.
 */
export function PageHead({
  title,
  where,
  back,
  actions,
  about,
  what,
}: {
  title: string
  /** Subject of the page, for the tab's name. */
  where?: string | undefined
  /** The way to the page that lists this one. */
  back?: ReactNode
  actions?: ReactNode
  about?: ReactNode
  what?: ReactNode
}) {
  usePageTitle(title, ...(where === undefined ? [] : [where]))
  return (
    <>
      <header className="ledger-head mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
        <div className="min-w-0">
          {back && <div className="mb-1 text-small text-ink-soft">{back}</div>}
          <h1 tabIndex={-1} className="text-display font-semibold tracking-tight wrap-anywhere outline-none">
            {title}
          </h1>
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {about && <div className="mb-8">{about}</div>}
      {what && <p className="mb-8 max-w-prose text-ink-soft">{what}</p>}
    </>
  )
}
