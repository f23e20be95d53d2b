import { basename, join } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'

const running = new Set<Thread>()

/** Ends every Worker that a page of this process has started. */
export function endWorkers(): void {
  for (const thread of running) void thread.terminate()
  running.clear()
}

/** Returns a replacement for the class Worker that runs each Worker in a thread of Node. `directory` contains the built code. */
export function workersFrom(directory: string) {
  return class ThreadWorker {
    onmessage: ((event: { data: unknown }) => void) | null = null
    onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null
    readonly #thread: Thread

    constructor({ pathname }: URL) {
      const workerData = { directory, file: `${basename(pathname, '.ts')}.mjs` }
      this.#thread = new Thread(join(directory, 'start-worker.mjs'), { workerData })
      running.add(this.#thread)
      this.#thread.on('message', (data) => this.onmessage?.({ data }))
      this.#thread.on('error', ({ message }) => this.onerror?.({ message, preventDefault: () => {} }))
    }

    postMessage(message: unknown): void {
      this.#thread.postMessage(message)
    }

    terminate(): void {
      running.delete(this.#thread)
      void this.#thread.terminate()
    }
  }
}
