import { useSyncExternalStore } from 'react'

/** The width of the window, in heights of the page's text, from which the two columns of `@[52.75rem]:` have room. */
const WIDE_REM = 72

/** A media query knows no text that was made larger, so the height of the text is taken from the page. */
function wide(): MediaQueryList {
  const { fontSize } = getComputedStyle(document.documentElement)
  return matchMedia(`(min-width: ${WIDE_REM * Number.parseFloat(fontSize)}px)`)
}

/** Whether the window has room for two columns: what stands in one of two places is drawn in one of them only. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide().matches)
}

function subscribe(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
