import { useEffect, useState } from 'react'
import { text } from '../../text/text.ts'
import { TextLink } from '../text-link.tsx'
import { dropToast, type Toast, useAnnouncement, useToasts } from './toasts.ts'

/** Long enough to be read; it stays while the pointer or the focus is on it. */
const SHOWN_MS = 9_000

/** Toasts, and the place from which screen readers hear of them: there before it speaks, and in nobody's way. */
export function Toaster() {
  const toasts = useToasts()
  const announcement = useAnnouncement()
  return (
    <>
      <p role="status" data-announced className="sr-only">
        {announcement}
      </p>
      <section
        aria-label={text('toast.region')}
        aria-live="polite"
        className="pointer-events-none fixed top-3 right-3 left-3 z-20 grid justify-items-end gap-2 sm:left-auto print:hidden"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </section>
    </>
  )
}

function ToastCard({ toast: { id, title, about, path, link } }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dropToast(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  return (
    <article
      data-toast={id}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="pointer-events-auto flex w-full max-w-96 items-start gap-3 rounded-sheet border border-rule-strong border-l-4 border-l-accent bg-raised px-4 py-3 sm:w-96"
    >
      <div className="min-w-0 flex-1">
        <p className="line-clamp-3 font-semibold leading-5 wrap-anywhere">{title}</p>
        {about && <p className="mt-0.5 truncate text-small text-ink-soft">{about}</p>}
        {path && link && (
          <p className="mt-1 text-small">
            <TextLink look="action" to={path} onClick={() => dropToast(id)}>
              {link}
            </TextLink>
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={text('toast.dismiss')}
        onClick={() => dropToast(id)}
        className="-mt-1 -mr-2 size-8 shrink-0 rounded-control text-ink-soft hover:text-ink"
      >
        <span aria-hidden="true">×</span>
      </button>
    </article>
  )
}
