import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The review that this entry of the browser's history stands for, of those that this load of the page opened. */
    written?: number
  }
}

let opened = 0

/**
 * Holds what a form wrote while it is reviewed. The review is an entry of its own in the browser's history: Back leads to the
 * form as it was.
 */
export function useWritten<Written>(): {
  /** Null while the form is shown. */
  written: Written | null
  review: (written: Written) => void
  /** Back to the form, as the browser's own button leads there. */
  leave: () => void
  /** After the form has changed: Forward must not show what it no longer says. */
  forget: () => void
} {
  const navigate = useNavigate()
  const { history } = useRouter()
  const [kept, setKept] = useState<{ id: number; written: Written } | null>(null)
  const here = useLocation({ select: ({ state }) => state.written })
  const isShown = kept !== null && kept.id === here
  return {
    written: isShown ? kept.written : null,
    review: (written) => {
      opened += 1
      setKept({ id: opened, written })
      void navigate({ to: '.', search: true, state: (before) => ({ ...before, written: opened }) })
    },
    leave: () => {
      setKept(null)
      if (isShown) history.back()
    },
    forget: () => setKept(null),
  }
}
