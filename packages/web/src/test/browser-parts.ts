import { AsyncLocalStorage } from 'node:async_hooks'
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

/** The Worker whose code runs: all of them share the thread and the globals of the test. */
const running = new AsyncLocalStorage<FakeWorker | undefined>()

/** The code of Workers as one page evaluated it, by its path, with whatever listens there for messages. */
type WorkerCode = { started: Promise<unknown>; listeners: ((event: MessageEvent) => void)[] }
const workerCode = new Map<string, WorkerCode>()

/**
 * Runs the module of a Worker in the thread of the test. Workers of one module share its state, in which they take turns
 * by the ids of their questions. Messages are copied, as between threads.
 */
class FakeWorker {
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: { message: string }) => void) | null = null
  #isEnded = false
  /** The Worker that opened this one; undefined: the page did. */
  readonly #opener = running.getStore()
  readonly #code: WorkerCode

  constructor({ pathname }: URL) {
    const code = workerCode.get(pathname) ?? { started: Promise.resolve(), listeners: [] }
    this.#code = code
    if (workerCode.has(pathname)) return
    workerCode.set(pathname, code)
    code.started = running
      .run(this, () => import(/* @vite-ignore */ pathname))
      .catch((error) => this.onerror?.({ message: String(error) }))
  }

  /** Listens for messages of the page. */
  listen(listener: (event: MessageEvent) => void): void {
    this.#code.listeners.push(listener)
  }

  postMessage(message: unknown): void {
    const event = { data: structuredClone(message) } as MessageEvent
    void this.#code.started.then(() => {
      if (this.#isEnded) return
      running.run(this, () => {
        for (const listener of this.#code.listeners) listener(event)
      })
    })
  }

  /** Sends a message of the Worker to whoever opened it. */
  answer(message: unknown): void {
    const event = { data: structuredClone(message) } as MessageEvent
    setTimeout(() => !this.#isEnded && running.run(this.#opener, () => this.onmessage?.(event)))
  }

  terminate(): void {
    this.#isEnded = true
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
  onerror: ((event: { message: string }) => void) | null = null
  readonly #receive = import('../evidence/worker/answer-page.ts').then(({ answerPage }) =>
    answerPage((messages) => this.onmessage?.({ data: structuredClone([...messages]) })),
  )

  postMessage(message: LineMessage[] | object): void {
    if (!Array.isArray(message)) return void setTimeout(() => this.onerror?.({ message: 'no engine' }))
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

/** Puts the parts in place: `isWide` says whether the window has room for two columns. @returns takes away all that has listened to the window since an earlier call of it */
export function putBrowserParts(server: FakeServer, isWide: () => boolean): () => void {
  const listening: Parameters<typeof addEventListener>[] = []
  const listen = globalThis.addEventListener
  vi.stubGlobal('addEventListener', (...listener: Parameters<typeof addEventListener>) => {
    const worker = running.getStore()
    if (worker && listener[0] === 'message') return worker.listen(listener[1] as (event: MessageEvent) => void)
    listening.push(listener)
    listen(...listener)
  })
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) => server.fetch(...asked))
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('min-width') && isWide() }),
  )
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('postMessage', (message: unknown) => running.getStore()?.answer(message))
  vi.stubGlobal('IntersectionObserver', EverythingSeen)
  vi.stubGlobal('Worker', WorkerInPage)
  vi.stubGlobal('scrollTo', () => {})
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  return () => {
    workerCode.clear()
    for (const [type, listener] of listening.splice(0)) removeEventListener(type, listener)
  }
}
