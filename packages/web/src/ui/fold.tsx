import { type ReactNode, useState } from 'react'

/** Evidence, one press away: what it is about, its result in the same line, and the whole below when it is opened. */
export function Fold({
  title,
  result,
  isOpen = false,
  isLazy = false,
  anchor,
  children,
}: {
  title: ReactNode
  result?: ReactNode
  isOpen?: boolean
  /** Drawn when it is first opened: for what is long. Otherwise the browser's own search finds it. */
  isLazy?: boolean
  anchor?: string | undefined
  children: ReactNode
}) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
      className="border-b border-rule"
    >
      <summary className="grid min-h-11 list-none grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2.5 py-2.5 [&::-webkit-details-marker]:hidden">
        <FoldArrow />
        <span className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id={anchor} className="font-semibold leading-[1.375rem]">
            {title}
          </h2>
          {result && <span className="text-small text-ink-faint">{result}</span>}
        </span>
      </summary>
      <div className="pb-4 sm:pl-6.5">{isLazy && !wasOpened ? null : children}</div>
    </details>
  )
}

/** The arrow before the title of whatever unfolds, the first thing in its `summary`: it turns as that opens. */
export function FoldArrow() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      className="relative top-0.5 size-4 shrink-0 text-ink-faint transition-transform [details[open]>summary>&]:rotate-90"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="m8 5.500 4.500 4.500L8 14.500" />
    </svg>
  )
}
