import { useSyncExternalStore } from 'react'

const STORED = 'countersign.tour'

export const TOUR_STEPS = 5

/** Where the reader is in the tour, from 1; whether it is on the page, or was left to be resumed. */
export type Tour = { step: number; isOpen: boolean }

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

const listeners = new Set<() => void>()

/** Reads the tour from what this browser keeps: `3` is open at step 3, `-3` was left there. Null: never begun, or done. */
export function parseTour(stored: string | null): Tour | null {
  const step = Number(stored ?? 0)
  return Number.isInteger(step) && step !== 0 && Math.abs(step) <= TOUR_STEPS
    ? { step: Math.abs(step), isOpen: step > 0 }
    : null
}

export function storeTour(storage: Storage, tour: Tour | null): void {
  storage.setItem(STORED, tour === null ? '0' : String(tour.isOpen ? tour.step : -tour.step))
  for (const listener of listeners) listener()
}

export function useTour(storage: Storage): Tour | null {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => storage.getItem(STORED),
  )
  return parseTour(stored)
}
