import { type ReactNode, useId, useState } from 'react'
import { FoldArrow } from './fold.tsx'

export function Section({
  title,
  aside,
  children,
  anchor,
}: {
  title: ReactNode
  aside?: ReactNode
  children: ReactNode
  /** By which a link on the same page finds it. */
  anchor?: string | undefined
}) {
  const ownId = useId()
  const id = anchor ?? ownId
  return (
    <section aria-labelledby={id} className="mb-9 sm:mb-12">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2
          id={id}
          tabIndex={anchor === undefined ? undefined : -1}
          className="scroll-mt-6 text-title font-semibold tracking-tight outline-none"
        >
          {title}
        </h2>
        {aside && <div className="text-small text-ink-soft">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** Ruled rows. Each child is one `Row`. */
export function Rows({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul aria-label={label} className="border-t border-rule">
      {children}
    </ul>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <li className="border-b border-rule py-3">{children}</li>
}

export function Details({
  summary,
  children,
  isOpen = false,
  hasRule = true,
  isLazy = false,
  onToggle,
}: {
  summary: ReactNode
  children: ReactNode
  isOpen?: boolean
  /** A row that ends with it has a rule already. */
  hasRule?: boolean
  /** Drawn when it is first opened: for what is long. Otherwise the browser's own search finds it. */
  isLazy?: boolean
  onToggle?: (isOpen: boolean) => void
}) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open) setWasOpened(true)
        onToggle?.(open)
      }}
      className={hasRule ? 'border-b border-rule' : undefined}
    >
      <summary className="grid min-h-11 list-none grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2.5 py-2.5 font-medium [&::-webkit-details-marker]:hidden">
        <FoldArrow />
        <span>{summary}</span>
      </summary>
      <div className="pb-4">{isLazy && !wasOpened ? null : children}</div>
    </details>
  )
}
