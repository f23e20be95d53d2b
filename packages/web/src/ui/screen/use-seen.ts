import { useCallback, useEffect, useMemo, useState } from 'react'

/** Rows that somebody scrolls past are left alone: those count that are on the screen once it has rested for so long. */
const REST_MS = 150

/**
 * Rows of a list that have been on the screen, by their `data-row`. What costs much is done for these alone.
 *
 * @returns `watch`, a ref for an element of each row
 */
export function useSeen(): { seen: ReadonlySet<string>; watch: (element: HTMLElement | null) => void } {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const { observer, stop } = useMemo(() => observeRows(setSeen), [])
  useEffect(() => stop, [stop])
  const watch = useCallback(
    (element: HTMLElement | null) => {
      if (element) observer.observe(element)
    },
    [observer],
  )
  return { seen, watch }
}

function observeRows(setSeen: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void) {
  const onScreen = new Set<string>()
  let resting: ReturnType<typeof setTimeout> | undefined
  const see = () => {
    resting = undefined
    const shown = [...onScreen]
    setSeen((before) => (shown.every((row) => before.has(row)) ? before : new Set([...before, ...shown])))
  }
  let isFirst = true
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const row = target instanceof HTMLElement ? target.dataset.row : undefined
      if (row === undefined) continue
      if (isIntersecting) onScreen.add(row)
      else onScreen.delete(row)
    }
    clearTimeout(resting)
    // The first ones are seen at once: nobody has scrolled.
    if (isFirst && onScreen.size > 0) {
      isFirst = false
      see()
    } else resting = setTimeout(see, REST_MS)
  })
  const stop = () => {
    clearTimeout(resting)
    observer.disconnect()
  }
  return { observer, stop }
}
