import { answerPage } from '../evidence/worker/answer-page.ts'
import type { LineMessage } from '../evidence/worker/line.ts'

/** The class Worker of a page. Its code runs in the thread of the test. */
export class WorkerInPage {
  onmessage: ((event: { data: LineMessage[] }) => void) | null = null
  readonly #receive = answerPage((messages) => this.onmessage?.({ data: structuredClone([...messages]) }))

  postMessage(messages: LineMessage[]): void {
    const received = structuredClone(messages)
    queueMicrotask(() => this.#receive(received))
  }
  terminate(): void {}
}
