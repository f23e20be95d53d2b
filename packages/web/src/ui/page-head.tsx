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
  tab = [title],
  back,
  actions,
  about,
  what,
}: {
  title: string
  /** Parts of the tab's name, the most particular first. */
  tab?: readonly string[]
  /** The way to the page that holds this one. */
  back?: ReactNode
  actions?: ReactNode
  about?: ReactNode
  what?: ReactNode
}) {
  usePageTitle(...tab)
  return (
    <>
      <header className="ledger-head mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
        <div className="min-w-0">
          {back && (
            <nav aria-label={text('page.above')} className="mb-1 text-small text-ink-soft">
              {back}
            </nav>
          )}
          <h1
            tabIndex={-1}
            className="text-[1.4375rem] leading-[1.8125rem] font-semibold sm:text-display tracking-tight wrap-anywhere outline-none"
          >
            {title}
          </h1>
          {about && <div className="mt-1.5">{about}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {what && <p className="mb-6 max-w-prose text-ink-soft">{what}</p>}
    </>
  )
}
