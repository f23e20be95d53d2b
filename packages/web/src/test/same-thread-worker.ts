import { answerPage } from '../evidence/worker/answer-page.ts'
import type { ChannelMessage } from '../evidence/worker/channel.ts'

/** A replacement for the class Worker that runs the review Worker in the thread of the test, without engines. */
export class SameThreadWorker {
  onmessage: ((event: { data: ChannelMessage[] }) => void) | null = null
  readonly #receive = answerPage((messages) => this.onmessage?.({ data: structuredClone([...messages]) }))

  postMessage(messages: ChannelMessage[]): void {
    const received = structuredClone(messages)
    queueMicrotask(() => this.#receive(received))
  }
  terminate(): void {}
}
