import { useCallback, useEffect, useMemo, useState } from 'react'

/**
 * Rows of a list that have been on the screen, by their `data-row`. What costs much is done for these alone.
 *
 * @returns `watch`, a ref for an element of each row
 */
export function useSeen(): { seen: ReadonlySet<string>; watch: (element: HTMLElement | null) => void } {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const observer = useMemo(
    () =>
      new IntersectionObserver((entries) => {
        const shown = entries.flatMap(({ isIntersecting, target }) =>
          isIntersecting && target instanceof HTMLElement ? (target.dataset.row ?? []) : [],
        )
        if (shown.length > 0) setSeen((before) => new Set([...before, ...shown]))
      }),
    [],
  )
  useEffect(() => () => observer.disconnect(), [observer])
  const watch = useCallback(
    (element: HTMLElement | null) => {
      if (element) observer.observe(element)
    },
    [observer],
  )
  return { seen, watch }
}
