import { type CowOrder, parseCowOrder } from '@countersign/safe/calls'
import { useSyncExternalStore } from 'react'
import { readTab, writeTab } from '../../device/tab-storage.ts'

const KEY = 'countersign.orders'
const MAX_ORDERS = 20

let texts = keptTexts()
let orders = parsed(texts)
const listeners = new Set<() => void>()

/** Keeps an order that a person gave, for as long as the tab is open. Its hash decides where it counts. */
export function keepGivenOrder(text: string): void {
  texts = [text, ...texts.filter((kept) => kept !== text)].slice(0, MAX_ORDERS)
  orders = parsed(texts)
  writeTab(KEY, JSON.stringify(texts))
  for (const listener of listeners) listener()
}

/** The orders of CoW Protocol that were given in this tab. */
export function useGivenOrders(): readonly CowOrder[] {
  return useSyncExternalStore(subscribe, () => orders)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keptTexts(): string[] {
  try {
    const kept: unknown = JSON.parse(readTab(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

/** Reads those that can be read. */
function parsed(given: readonly string[]): CowOrder[] {
  return given.flatMap((text) => {
    try {
      return [parseCowOrder(text)]
    } catch {
      return []
    }
  })
}
