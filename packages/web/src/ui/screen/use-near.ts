import { type RefObject, useEffect, useRef, useState } from 'react'

/** Rows this far outside of the window are drawn already: nobody who scrolls sees one being drawn. */
const MARGIN = '1200px 0px'

const listeners = new WeakMap<Element, (isNear: boolean) => void>()
/** One for all rows of the page. */
let observer: IntersectionObserver | undefined

function watch(element: Element, listen: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  listeners.set(element, listen)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
  }
}

/**
 * Whether an element is on the screen or close to it. One that holds the focus stays near: nothing that somebody is at goes
 * away.
 *
 * @param isNearAtFirst until the browser has told
 * @example
 * const { ref, isNear } = useNear<HTMLElement>(index < 20)
 */
export function useNear<T extends Element>(isNearAtFirst: boolean): { ref: RefObject<T | null>; isNear: boolean } {
  const ref = useRef<T>(null)
  const [isNear, setIsNear] = useState(isNearAtFirst)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return watch(element, (now) => setIsNear(now || element.contains(document.activeElement)))
  }, [])
  return { ref, isNear }
}
