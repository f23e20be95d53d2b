import { useEffect, useRef } from 'react'

/** Gives the focus to what says that something is done, once the button that did it has gone with the focus. */
export function useFocusAfter(isDone: boolean, anchor: string): void {
  const wasDone = useRef(isDone)
  useEffect(() => {
    if (isDone && !wasDone.current && document.activeElement === document.body)
      document.getElementById(anchor)?.focus({ preventScroll: true })
    wasDone.current = isDone
  }, [isDone, anchor])
}
