import { setMaxListeners } from 'node:events'

/** A signal for work that several clients wait for. */
export type JointSignal = {
  /** Aborts when the last client leaves, with its reason. */
  signal: AbortSignal
  /** Adds a client. One without a signal never leaves. */
  join: (signal: AbortSignal | undefined) => void
}

/**
 * Creates a signal that aborts when every client that joined has left.
 *
 * @example
 * const joint = createJointSignal()
 * for (const { signal } of clients) joint.join(signal)
 */
export function createJointSignal(): JointSignal {
  const over = new AbortController()
  // One reading of a Safe is dozens of requests. Node warns at the eleventh listener.
  setMaxListeners(0, over.signal)
  let waiting = 0
  return {
    signal: over.signal,
    join(signal) {
      waiting += 1
      const leave = () => {
        waiting -= 1
        if (waiting === 0) over.abort(signal?.reason)
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    },
  }
}
