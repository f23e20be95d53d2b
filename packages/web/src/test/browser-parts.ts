import { vi } from 'vitest'
import type { LineMessage } from '../evidence/worker/line.ts'
import type { FakeServer } from './fake-server.ts'

// Parts of a browser that the DOM of the tests lacks, or in which nothing ever happens.

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

/** Runs the code of the Worker that reviews in the page itself. It runs no transaction: nothing here has a chain. */
export class WorkerInPage {
  onmessage: ((event: { data: LineMessage[] }) => void) | null = null
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null
  readonly #receive = import('../evidence/worker/answer-page.ts').then(({ answerPage }) =>
    answerPage((messages) => this.onmessage?.({ data: structuredClone([...messages]) })),
  )

  postMessage(message: LineMessage[] | object): void {
    if (!Array.isArray(message))
      return void setTimeout(() => this.onerror?.({ message: 'no engine', preventDefault: () => {} }))
    const messages = structuredClone(message)
    void this.#receive.then((receive) => receive(messages))
  }
  terminate(): void {
    this.onmessage = null
  }
}

/** Locks of which each is free. */
const locks = {
  request: (...[, , run]: [name: string, options: object, run: (lock: object) => Promise<unknown>]) => run({}),
}

/** Puts the parts in place. @returns takes away all that has listened to the window since an earlier call of it */
export function putBrowserParts(server: FakeServer): () => void {
  const listening: Parameters<typeof addEventListener>[] = []
  const listen = globalThis.addEventListener
  vi.stubGlobal('addEventListener', (...listener: Parameters<typeof addEventListener>) => {
    listening.push(listener)
    listen(...listener)
  })
  vi.stubGlobal('fetch', server.fetch)
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('IntersectionObserver', EverythingSeen)
  vi.stubGlobal('Worker', WorkerInPage)
  vi.stubGlobal('scrollTo', () => {})
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  return () => {
    for (const [type, listener] of listening.splice(0)) removeEventListener(type, listener)
  }
}
