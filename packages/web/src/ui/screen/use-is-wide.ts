import { useSyncExternalStore } from 'react'

/** The width from which a page has two columns; `xl:` in class names is the same. */
const WIDE = '(min-width: 72rem)'

/** Whether the window has room for two columns: what stands in one of two places is drawn in one of them only. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
