import { inject, vi } from 'vitest'
import type { FakeServer } from './fake-server.ts'
import { endWorkers, workersFrom } from './thread-worker.ts'

// Stubs for browser APIs that the DOM of the tests lacks or does not implement.

/** A stream of live events, which opens at once. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  static #open = new Set<FakeEventSource>()
  readyState = 1
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null

  constructor() {
    super()
    FakeEventSource.#open.add(this)
    setTimeout(() => this.onopen?.())
  }

  /** Tells every open stream of a change. */
  static tell(event: object): void {
    for (const source of FakeEventSource.#open)
      source.dispatchEvent(new MessageEvent('change', { data: JSON.stringify(event) }))
  }

  static closeAll(): void {
    for (const source of FakeEventSource.#open) source.close()
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
    this.onopen = null
    FakeEventSource.#open.delete(this)
  }
}

/** Takes every element for one on the screen. */
class EverythingSeen {
  readonly #tell: (entries: { target: Element; isIntersecting: boolean }[]) => void
  constructor(tell: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    this.#tell = tell
  }
  observe(target: Element): void {
    setTimeout(() => this.#tell([{ target, isIntersecting: true }]))
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Locks of which each is free. */
const locks = {
  request: (...[, , run]: [name: string, options: object, run: (lock: object) => Promise<unknown>]) => run({}),
}

/**
 * Installs the stubs. `isWide` returns whether the window has room for two columns.
 *
 * @returns a function that ends the page's Workers and removes the listeners that were added to the window since its last call
 */
export function stubBrowser(server: FakeServer, isWide: () => boolean): () => void {
  const listening: Parameters<typeof addEventListener>[] = []
  const listen = globalThis.addEventListener
  vi.stubGlobal('addEventListener', (...listener: Parameters<typeof addEventListener>) => {
    listening.push(listener)
    listen(...listener)
  })
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) => server.fetch(...asked))
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('min-width') && isWide() }),
  )
  vi.stubGlobal('IntersectionObserver', EverythingSeen)
  vi.stubGlobal('Worker', workersFrom(inject('workerDirectory')))
  vi.stubGlobal('scrollTo', () => {})
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  return () => {
    endWorkers()
    for (const [type, listener] of listening.splice(0)) removeEventListener(type, listener)
  }
}
