import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Word of something that happened elsewhere. `path`: the page of the product that shows it. */
export type Toast = { id: string; title: string; about?: string; path?: string; link?: string }

/** More at once nobody reads; the oldest gives way. */
const MAX_SHOWN = 3

let toasts: readonly Toast[] = []
let announcement = ''
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a toast, instead of the one of the same id. */
export function showToast(toast: Toast): void {
  toasts = [...toasts.filter(({ id }) => id !== toast.id), toast].slice(-MAX_SHOWN)
  changed()
}

export function dropToast(id: string): void {
  toasts = toasts.filter((toast) => toast.id !== id)
  changed()
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

export function useAnnouncement(): string {
  return useSyncExternalStore(subscribe, () => announcement)
}

/** Reads out what has become true while the page is open; what was true when it opened is on the page. */
export function useAnnounced(words: string | null): void {
  const before = useRef(words)
  useEffect(() => {
    if (words === before.current) return
    before.current = words
    announcement = words ?? ''
    changed()
  }, [words])
}
