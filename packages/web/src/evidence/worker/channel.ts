import { CountersignError } from '@countersign/safe'

/** Functions that one side answers for the other, by name. Each has one input. Inputs and answers are cloned. */
export type Calls = Record<string, (input: never) => unknown>

type InputOf<Call> = Call extends (input: infer Input) => unknown ? Input : never
type OutputOf<Call> = Call extends (input: never) => infer Output ? Awaited<Output> : never

/** An error as it is sent between Worker and page. Cloning would lose its code and data. */
type ClonedError = { name: string; message: string; code?: string; data?: Record<string, unknown> }

export type ChannelMessage =
  | { kind: 'ask'; id: number; name: string; input: unknown }
  | { kind: 'answer'; id: number; output: unknown }
  | { kind: 'failure'; id: number; error: ClonedError }

/** A connection between the page and its Worker, on which each side asks the other. */
export type Channel<Theirs extends Calls> = {
  /** @throws the error of the other side: a CountersignError with its code and data */
  ask<Name extends keyof Theirs & string>(name: Name, input: InputOf<Theirs[Name]>): Promise<OutputOf<Theirs[Name]>>
  receive: (messages: readonly ChannelMessage[]) => void
  /** Whether every question is answered. */
  isIdle: () => boolean
  /** Rejects every open question. */
  end: (error: Error) => void
}

/**
 * Opens one side of a connection. Messages of one turn travel together, so that what several of them share is cloned once.
 *
 * @param post sends messages to the other side, which passes them to `receive`
 * @param schedule runs `flush` once this turn's messages are there
 */
export function openChannel<Theirs extends Calls, Ours extends Calls>(
  post: (messages: readonly ChannelMessage[]) => void,
  answers: Ours,
  schedule: (flush: () => void) => void = queueMicrotask,
): Channel<Theirs> {
  const open = new Map<number, { resolve: (output: never) => void; reject: (error: unknown) => void }>()
  let lastId = 0
  let waiting: ChannelMessage[] = []

  const refuse = (id: number, error: unknown) => {
    open.get(id)?.reject(error)
    open.delete(id)
  }
  const flush = () => {
    const messages = waiting
    waiting = []
    try {
      post(messages)
    } catch {
      // One of them cannot be cloned.
      messages.forEach(postAlone)
    }
  }
  const postAlone = (message: ChannelMessage) => {
    try {
      post([message])
    } catch (error) {
      if (message.kind === 'ask') refuse(message.id, error)
      else post([{ kind: 'failure', id: message.id, error: writeError(error) }])
    }
  }
  const send = (message: ChannelMessage) => {
    waiting.push(message)
    if (waiting.length === 1) schedule(flush)
  }
  const answer = async (id: number, name: string, input: unknown) => {
    try {
      const call = answers[name] as ((input: unknown) => unknown) | undefined
      if (call === undefined) throw new Error(`Nothing answers ${name}.`)
      send({ kind: 'answer', id, output: await call(input) })
    } catch (error) {
      send({ kind: 'failure', id, error: writeError(error) })
    }
  }

  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        lastId += 1
        open.set(lastId, { resolve, reject })
        send({ kind: 'ask', id: lastId, name, input })
      }),
    receive: (messages) => {
      for (const message of messages) {
        const { kind, id } = message
        if (kind === 'ask') void answer(id, message.name, message.input)
        else if (kind === 'failure') refuse(id, readError(message.error))
        else {
          open.get(id)?.resolve(message.output as never)
          open.delete(id)
        }
      }
    },
    isIdle: () => open.size === 0,
    end: (error) => {
      for (const id of [...open.keys()]) refuse(id, error)
    },
  }
}

function writeError(error: unknown): ClonedError {
  if (error instanceof CountersignError)
    return { name: error.name, message: error.message, code: error.code, data: error.data }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

function readError({ name, message, code, data = {} }: ClonedError): Error {
  if (code !== undefined) return new CountersignError(code, message, { data })
  return name === 'TypeError' ? new TypeError(message) : new Error(message)
}
