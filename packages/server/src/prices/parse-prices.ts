import type { PriceFault } from '@countersign/contract'
import { parsePrice } from '@countersign/safe'

export const MAX_PRICES_BYTES = 4_000_000
const MAX_POINTS = 20_000

/** Price of one asset at one time, as a source says. */
export type Point = { at: number; price: string }

/** Points of each asset, oldest first. A source may tell the past, too. */
export type Prices = { points: ReadonlyMap<string, readonly Point[]>; count: number; refused: number; newestAt: number }

/** Names an asset among all chains. */
export function assetKey(chainId: number, token: string): string {
  return `${chainId} ${token.toLowerCase()}`
}

/**
 * Opens what a source says: `{"currency":"USD","prices":[{"chainId":1,"token":"native","price":"3412.55","at":"2026-11-01T00:00:00Z"}]}`.
 * Entries that are none are counted and left out.
 */
export function openPrices(text: string, currency: string): Prices | { fault: PriceFault } {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { fault: 'not-json' }
  }
  if (!isObject(content) || !Array.isArray(content.prices)) return { fault: 'no-prices' }
  if (content.currency !== currency) return { fault: 'currency' }
  if (content.prices.length > MAX_POINTS) return { fault: 'too-many' }
  const points = new Map<string, Point[]>()
  let count = 0
  let newestAt = 0
  for (const entry of content.prices) {
    const read = readEntry(entry)
    if (read === null) continue
    const { key, ...point } = read
    const known = points.get(key)
    if (known) known.push(point)
    else points.set(key, [point])
    count++
    newestAt = Math.max(newestAt, point.at)
  }
  for (const of of points.values()) of.sort((one, other) => one.at - other.at)
  return { points, count, refused: content.prices.length - count, newestAt }
}

function readEntry(entry: unknown): (Point & { key: string }) | null {
  if (!isObject(entry)) return null
  const { chainId, token, price, at } = entry
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId <= 0) return null
  if (typeof token !== 'string' || !/^(?:native|0x[0-9a-fA-F]{40})$/.test(token)) return null
  // As text alone: a number of JSON is not exact, and may be none.
  if (typeof price !== 'string' || parsePrice(price) === null) return null
  if (typeof at !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(at)) return null
  const time = Date.parse(at)
  return Number.isNaN(time) ? null : { key: assetKey(chainId, token), price, at: time }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The last point up to a time, unless it was too old then. */
export function pointAt(points: readonly Point[] | undefined, time: number, maxAge: number): Point | null {
  const last = points?.findLast(({ at }) => at <= time)
  return last && time - last.at <= maxAge ? last : null
}
