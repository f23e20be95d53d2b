import { type ReactNode, useEffect, useId, useRef } from 'react'
import { text } from '../text/text.ts'

/**
 * A modal sheet on the native element: the browser keeps the focus inside, closes on Escape
 * and gives the focus back to what opened it.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  foot,
  isWide = false,
  place = 'middle',
}: {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Below a line at the end, whatever the dialog shows. */
  foot?: ReactNode
  isWide?: boolean
  /** `side`: beside the column of the workspace; on a phone at the lower edge, within reach of the thumb. */
  place?: keyof typeof places
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleRef = useRef<HTMLHeadingElement>(null)
  const pressedBeside = useRef(false)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return
    const opener = document.activeElement
    if (!dialog.open) dialog.showModal()
    // The focused element may have gone with the step before; a screen reader then starts at the heading.
    const changes = new MutationObserver(() => {
      if (document.activeElement === document.body) titleRef.current?.focus()
    })
    changes.observe(dialog, { childList: true, subtree: true })
    return () => {
      changes.disconnect()
      dialog.close()
      // When React has drawn the opener anew, or it is gone, the browser has nothing to go back to.
      const next = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector('main')
      next?.focus()
    }
  }, [isOpen])

  if (!isOpen) return null
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A text that is selected beyond the edge ends in a click on the backdrop, too; it did not begin there.
      onPointerDown={({ target, currentTarget }) => {
        pressedBeside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && pressedBeside.current) onClose()
      }}
      onKeyDown={keepFocusInside}
      className={`max-h-[calc(100dvh-1.5rem)] scroll-pt-20 overflow-y-auto rounded-sheet border border-rule-strong bg-paper p-0 text-ink backdrop:bg-black/50 ${
        places[place]
      } ${isWide ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="px-5 pb-6 sm:px-7">
        {/* It stays in sight: on a phone there is no Escape, and next to nothing beside the dialog to tap on. */}
        <div className="sticky top-0 z-10 -mx-5 mb-5 bg-paper px-5 pt-4 sm:-mx-7 sm:px-7">
          <div className="ledger-head flex flex-wrap items-baseline justify-between gap-x-4 pb-3">
            {/* A heading that only changes is not read out again: that of another step takes the focus anew. */}
            <h2
              key={title}
              id={titleId}
              ref={titleRef}
              tabIndex={-1}
              className="flex-[1_1_--spacing(28)] text-lead font-semibold outline-none"
            >
              {title}
            </h2>
            <button
              type="button"
              onClick={onClose}
              className="-mr-2 ml-auto min-h-8 rounded-control px-2 text-small text-ink-soft hover:text-ink"
            >
              {text('dialog.close')}
            </button>
          </div>
        </div>
        {children}
        {foot && <div className="mt-6 border-t border-rule pt-3">{foot}</div>}
      </div>
    </dialog>
  )
}

const places = {
  middle: 'm-auto w-[calc(100vw-1.5rem)]',
  side: 'mx-auto mt-auto mb-0 w-full lg:mt-14 lg:mb-auto lg:ml-3 lg:w-92',
}

/** The native dialog lets Tab leave for the browser's own bars; here it goes round. */
function keepFocusInside(event: React.KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      'a[href], button:not([disabled]), input:not([disabled]), select, textarea, summary, [tabindex="0"]',
    ),
  ].filter((stop) => stop.checkVisibility())
  const first = stops[0]
  const last = stops.at(-1)
  const active = document.activeElement
  // The heading can have the focus, and is no stop.
  const isBeforeFirst =
    active && first && (first.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_PRECEDING) > 0
  if (event.shiftKey && (active === first || isBeforeFirst)) {
    event.preventDefault()
    last?.focus()
  } else if (!event.shiftKey && active === last) {
    event.preventDefault()
    first?.focus()
  }
}
