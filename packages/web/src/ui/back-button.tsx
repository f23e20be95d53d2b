import type { ReactNode } from 'react'

/** One step back, flush with the text above it. */
export function BackButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex min-h-11 items-center gap-1.5 justify-self-start rounded-control pr-3 font-semibold text-accent hover:text-accent-strong"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        className="size-3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
      >
        <path d="M7.5 2 3.5 6l4 4" />
      </svg>
      {children}
    </button>
  )
}
