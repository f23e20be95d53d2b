import { type ReactNode, useId } from 'react'
import { FoldArrow } from './fold.tsx'

/** A raised sheet of parts, one below the other. */
export function Card({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside
      aria-label={label}
      data-card
      className="overflow-clip rounded-sheet border border-rule-strong bg-raised [&>*+*]:border-t [&>*+*]:border-rule"
    >
      {children}
    </aside>
  )
}

/** One part of a card under a small heading. */
export function CardPart({
  title,
  aside,
  anchor,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  /** By which a link on the same page finds it. */
  anchor?: string | undefined
  children: ReactNode
}) {
  const ownId = useId()
  const id = anchor ?? ownId
  return (
    <section aria-labelledby={id} className="px-4 py-3.5 sm:px-4.5">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} tabIndex={anchor === undefined ? undefined : -1} className="label scroll-mt-6 outline-none">
          {title}
        </h2>
        {aside && <div className="text-small text-ink-faint">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** A part of a card that most people do not need: its title, and the whole when it is opened. */
export function CardFold({
  title,
  isOpen = false,
  children,
}: {
  title: ReactNode
  isOpen?: boolean
  children: ReactNode
}) {
  return (
    <details open={isOpen}>
      <summary className="flex min-h-11 list-none items-center gap-2.5 px-4 sm:px-4.5 [&::-webkit-details-marker]:hidden">
        <FoldArrow />
        <h2 className="font-semibold">{title}</h2>
      </summary>
      <div className="px-4 pb-4 sm:px-4.5">{children}</div>
    </details>
  )
}
