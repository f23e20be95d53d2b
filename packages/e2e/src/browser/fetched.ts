import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** Gzip bytes by the path of a script; `requests` and `foreign` (those to other hosts) count requests of every kind. */
export type Fetched = { scripts: Map<string, number>; raw: number; requests: number; foreign: number }

/** Counts fetched bytes. `asked()` returns the number of requests so far. Given such a number, it leaves out later requests. */
export type Fetching = ((requests?: number) => Promise<Fetched>) & { asked: () => number }

type Arrived = { pathname: string; bodies: Promise<Buffer | null>[] }

/**
 * Counts what a page fetches from now on. Requests to other hosts count even without an answer. Each address counts once, because a
 * prefetched file is imported from the cache.
 */
export function countFetched(page: Page, url: string): Fetching {
  /** By request number. */
  const arrived = new Map<number, Arrived>()
  const { origin, host } = new URL(url)
  const requests: { isForeign: boolean }[] = []
  const asked = new Map<string, number>()
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol === 'data:' || address.protocol === 'blob:') return
    // Files of the page never change, so the browser requests each only once.
    if (/\.js$/.test(address.pathname) && asked.has(address.href)) return
    asked.set(address.href, requests.length)
    requests.push({ isForeign: address.origin !== origin })
  })
  page.on('websocket', (socket) => void requests.push({ isForeign: new URL(socket.url()).host !== host }))
  page.on('response', (response) => {
    const { href, pathname } = new URL(response.url())
    if (response.request().resourceType() !== 'script' && !pathname.endsWith('.js')) return
    const index = asked.get(href) ?? requests.length
    const known = arrived.get(index) ?? { pathname, bodies: [] }
    // If two requests ask for the same file, only one of them has the body.
    known.bodies.push(response.body().catch(() => null))
    arrived.set(index, known)
  })
  const count = async (limit = Number.POSITIVE_INFINITY): Promise<Fetched> => {
    const scripts = new Map<string, number>()
    let raw = 0
    for (const [index, { pathname, bodies }] of arrived) {
      if (index >= limit) continue
      const body = (await Promise.all(bodies)).find((found) => found !== null)
      if (!body) throw new Error(`${pathname} came without a body.`)
      scripts.set(pathname, gzipSync(body, { level: 9 }).length)
      raw += body.length
    }
    const counted = requests.slice(0, limit)
    return {
      scripts,
      raw,
      requests: counted.length,
      foreign: counted.filter(({ isForeign }) => isForeign).length,
    }
  }
  return Object.assign(count, { asked: () => requests.length })
}

/** Gzip bytes of scripts together. */
export function sizeOf(scripts: ReadonlyMap<string, number>): number {
  return [...scripts.values()].reduce((sum, size) => sum + size, 0)
}
