import { useSyncExternalStore } from 'react'

/** The width of the window, in heights of the page's text, from which the two columns of `@[52.75rem]:` have room. */
const WIDE_REM = 72

let isWide: boolean | null = null

/** A media query knows no text that was made larger, so the height of the text is taken from the page. */
function measure(): boolean {
  const { fontSize } = getComputedStyle(document.documentElement)
  return matchMedia(`(min-width: ${WIDE_REM * Number.parseFloat(fontSize)}px)`).matches
}

/** Whether the window has room for two columns: what stands in one of two places is drawn in one of them only. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => {
    isWide ??= measure()
    return isWide
  })
}

/** Measures when the browser has laid out the page anyway: right after a review was drawn, it would lay it out for this. */
function subscribe(listener: () => void): () => void {
  const observer = new ResizeObserver(() => {
    const before = isWide
    isWide = measure()
    if (isWide !== before) listener()
  })
  observer.observe(document.documentElement)
  return () => observer.disconnect()
}
