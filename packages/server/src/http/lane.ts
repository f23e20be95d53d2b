import { overloaded } from '../overloaded.ts'

export type LaneSettings = {
  /** Requests that run at the same time. */
  atOnce: number
  /** Requests of one client that run at once. */
  atOnceOfOne: number
  /** Requests that wait for their turn. */
  waiting: number
  /** Longest wait of a request. */
  milliseconds: number
}

/**
 * Lets so many requests run at a time, and keeps a bounded number waiting. Who asks takes turns with the others who ask:
 * a thousand requests of one keep nobody else waiting for more than one of them.
 */
export type Lane = {
  /** @throws CountersignError `OVERLOADED` when too many wait, or this one has waited too long */
  run: <result>(key: string, work: () => Promise<result>) => Promise<result>
  /**
   * For what goes on after its answer has begun. @returns what ends it
   *
   * @throws CountersignError as `run`
   */
  enter: (key: string) => Promise<() => void>
  running: () => number
  waiting: () => number
}

type Waiting = { start: () => void; timer: NodeJS.Timeout }

export function createLane({ atOnce, atOnceOfOne, waiting, milliseconds }: LaneSettings): Lane {
  const running = new Map<string, number>()
  /** By who asks, whose turn is next first. */
  const queues = new Map<string, Set<Waiting>>()
  let runningOfAll = 0
  let waitingOfAll = 0

  const mayRun = (key: string) => runningOfAll < atOnce && (running.get(key) ?? 0) < atOnceOfOne

  function begin(key: string): void {
    runningOfAll += 1
    running.set(key, (running.get(key) ?? 0) + 1)
  }

  function end(key: string): void {
    runningOfAll -= 1
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
    startNext()
  }

  function startNext(): void {
    for (const [key, queue] of queues) {
      if (runningOfAll >= atOnce) return
      const [next] = queue
      if (!next || !mayRun(key)) continue
      leave(key, next)
      const rest = queues.get(key)
      if (rest) {
        queues.delete(key)
        queues.set(key, rest)
      }
      begin(key)
      next.start()
      return
    }
  }

  function leave(key: string, waiter: Waiting): void {
    clearTimeout(waiter.timer)
    const queue = queues.get(key)
    if (!queue?.delete(waiter)) return
    waitingOfAll -= 1
    if (queue.size === 0) queues.delete(key)
  }

  function wait(key: string): Promise<void> {
    // Nobody alone takes all the places where others wait.
    const own = queues.get(key)
    if (waitingOfAll >= waiting || (own && own.size >= waiting / 4)) throw overloaded()
    return new Promise((resolve, reject) => {
      const waiter: Waiting = {
        start: resolve,
        timer: setTimeout(() => {
          leave(key, waiter)
          reject(overloaded())
        }, milliseconds),
      }
      const queue = own ?? new Set()
      queue.add(waiter)
      queues.set(key, queue)
      waitingOfAll += 1
    })
  }

  async function enter(key: string): Promise<() => void> {
    if (mayRun(key)) begin(key)
    else await wait(key)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      end(key)
    }
  }

  return {
    enter,
    async run(key, work) {
      const leave = await enter(key)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    running: () => runningOfAll,
    waiting: () => waitingOfAll,
  }
}
