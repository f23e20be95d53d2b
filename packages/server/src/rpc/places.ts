/** An account, or a network without a session, whose request makes this process ask a node. `signal` aborts when the client has left. */
export type Client = { key: string; signal?: AbortSignal | undefined }

type Waiting = { key: string; start: () => void }

/** Half-life of a client's recorded use. */
const HALF_MS = 30_000
const MAX_REMEMBERED = 1_000

/** Places at a node for requests that clients cause. */
export type Places = {
  /**
   * Waits for a place. The client with the least recent use is next, so other clients wait for at most one slow request of a
   * client.
   *
   * @returns a function that gives the place back. `rest`: milliseconds for which the node may go on with a cancelled request;
   * meanwhile the client has one place less
   * @throws the reason of the signal
   */
  take: (client: Client) => Promise<(rest?: number) => void>
}

/** @param now milliseconds */
export function createPlaces(
  { atOnce, atOnceOfOne }: { atOnce: number; atOnceOfOne: number },
  now: () => number = () => performance.now(),
): Places {
  const waiting = new Set<Waiting>()
  const running = new Map<string, number>()
  const used = new Map<string, { milliseconds: number; at: number }>()
  let runningOfAll = 0

  const isFree = (key: string) => runningOfAll < atOnce && (running.get(key) ?? 0) < atOnceOfOne
  const usedBy = (key: string) => {
    const { milliseconds = 0, at = 0 } = used.get(key) ?? {}
    return milliseconds * 0.5 ** ((now() - at) / HALF_MS)
  }
  const count = (key: string, change: 1 | -1) => {
    const next = (running.get(key) ?? 0) + change
    if (next > 0) running.set(key, next)
    else running.delete(key)
  }

  function startNext(): void {
    for (;;) {
      let best: Waiting | null = null
      for (const one of waiting)
        if (isFree(one.key) && (!best || (one.key !== best.key && usedBy(one.key) < usedBy(best.key)))) best = one
      if (!best) return
      waiting.delete(best)
      runningOfAll += 1
      count(best.key, 1)
      best.start()
    }
  }

  function remember(key: string, milliseconds: number): void {
    const sum = usedBy(key) + milliseconds
    used.delete(key)
    used.set(key, { milliseconds: sum, at: now() })
    const [oldest] = used.keys()
    if (used.size > MAX_REMEMBERED && oldest !== undefined) used.delete(oldest)
  }

  return {
    async take({ key, signal }) {
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.delete(one)
          reject(signal?.reason)
        }
        const one: Waiting = {
          key,
          start: () => {
            signal?.removeEventListener('abort', leave)
            resolve()
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.add(one)
        startNext()
      })
      const startedAt = now()
      let isOver = false
      return (rest = 0) => {
        if (isOver) return
        isOver = true
        remember(key, now() - startedAt + rest)
        runningOfAll -= 1
        const end = () => {
          count(key, -1)
          startNext()
        }
        if (rest > 0) setTimeout(end, rest).unref()
        else end()
        startNext()
      }
    },
  }
}
