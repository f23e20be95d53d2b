import { type LiveStatus, useLiveStatus } from '../../api/live/status.ts'
import { text } from '../../text/text.ts'

/** Each has a shape of its own, so that it is told apart without its colour and without its word. */
const marks = {
  live: { look: 'text-accent', shape: <circle cx="6" cy="6" r="3.25" fill="currentColor" stroke="none" /> },
  connecting: { look: 'breathing text-warning', shape: <circle cx="6" cy="6" r="4" strokeDasharray="3 2" /> },
  offline: {
    look: 'text-danger',
    shape: (
      <>
        <circle cx="6" cy="6" r="4.5" />
        <path d="M3 9l6-6" />
      </>
    ),
  },
} satisfies Record<LiveStatus, unknown>

/** Tells whether changes by others arrive by themselves. On a phone the word is left to the mark's title. */
export function LiveIndicator() {
  const status = useLiveStatus()
  const { look, shape } = marks[status]
  return (
    <span
      role="status"
      data-live-status={status}
      title={text(`live.${status}.title`)}
      className="flex items-center gap-1.5 text-small text-ink-soft"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        className={`size-3 ${look}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        {shape}
      </svg>
      <span className="sr-only sm:not-sr-only">{text(`live.${status}`)}</span>
    </span>
  )
}
