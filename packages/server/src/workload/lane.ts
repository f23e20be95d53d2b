import { overloaded } from '../overloaded.ts'

export type LaneSettings = {
  /** Requests that run at the same time. */
  atOnce: number
  /** Requests of one client that run at once. */
  atOnceOfOne: number
  /** Requests about one chain that run at once, so that a chain whose node hangs keeps those about others waiting no longer. */
  atOnceOfChain?: number
  /** Concurrent requests of one client about one chain, so that a chain with a slow node has places for other clients. */
  atOnceOfOneOfChain?: number
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
  /**
   * @param chain the chain that the request is about, where it is about one
   * @param left aborts when the client has left; a waiting request is then removed
   * @throws CountersignError `OVERLOADED` when too many wait, or this one has waited too long; the reason of `left`
   */
  run: <result>(key: string, work: () => Promise<result>, chain?: string, left?: AbortSignal) => Promise<result>
  /**
   * For what goes on after its answer has begun. @returns what ends it
   *
   * @throws CountersignError as `run`
   */
  enter: (key: string, chain?: string, left?: AbortSignal) => Promise<() => void>
  running: () => number
  waiting: () => number
}

type Waiting = { start: () => void; timer: NodeJS.Timeout; chain: string | undefined }

export function createLane({
  atOnce,
  atOnceOfOne,
  atOnceOfChain = Number.POSITIVE_INFINITY,
  atOnceOfOneOfChain = Number.POSITIVE_INFINITY,
  waiting,
  milliseconds,
}: LaneSettings): Lane {
  const running = new Map<string, number>()
  /** By who asks, whose turn is next first. */
  const queues = new Map<string, Set<Waiting>>()
  let runningOfAll = 0
  let waitingOfAll = 0

  const mayRun = (key: string) => runningOfAll < atOnce && (running.get(key) ?? 0) < atOnceOfOne
  const { isChainFree, countChain } = createChainCounts(atOnceOfChain, atOnceOfOneOfChain)

  function begin(key: string, chain: string | undefined): void {
    runningOfAll += 1
    count(running, key, 1)
    countChain(key, chain, 1)
  }

  function end(key: string, chain: string | undefined): void {
    runningOfAll -= 1
    count(running, key, -1)
    countChain(key, chain, -1)
    // One may have waited for the client's place, and another for the chain's.
    while (startNext());
  }

  function startNext(): boolean {
    for (const [key, queue] of queues) {
      if (runningOfAll >= atOnce) return false
      if (!mayRun(key)) continue
      const next = firstThat(queue, ({ chain }) => isChainFree(key, chain))
      if (!next) continue
      leave(key, next)
      const rest = queues.get(key)
      if (rest) {
        queues.delete(key)
        queues.set(key, rest)
      }
      begin(key, next.chain)
      next.start()
      return true
    }
    return false
  }

  function leave(key: string, waiter: Waiting): void {
    clearTimeout(waiter.timer)
    const queue = queues.get(key)
    if (!queue?.delete(waiter)) return
    waitingOfAll -= 1
    if (queue.size === 0) queues.delete(key)
  }

  function wait(key: string, chain: string | undefined, left: AbortSignal | undefined): Promise<void> {
    // Nobody alone takes all the places where others wait.
    const own = queues.get(key)
    if (waitingOfAll >= waiting || (own && own.size >= waiting / 4)) throw overloaded()
    return new Promise((resolve, reject) => {
      const giveUp = (why: unknown) => {
        left?.removeEventListener('abort', hasLeft)
        leave(key, waiter)
        reject(why)
      }
      const hasLeft = () => giveUp(left?.reason)
      const waiter: Waiting = {
        start: () => {
          left?.removeEventListener('abort', hasLeft)
          resolve()
        },
        chain,
        timer: setTimeout(() => giveUp(overloaded()), milliseconds),
      }
      left?.addEventListener('abort', hasLeft, { once: true })
      const queue = own ?? new Set()
      queue.add(waiter)
      queues.set(key, queue)
      waitingOfAll += 1
    })
  }

  async function enter(key: string, chain?: string, left?: AbortSignal): Promise<() => void> {
    left?.throwIfAborted()
    if (mayRun(key) && isChainFree(key, chain)) begin(key, chain)
    else await wait(key, chain, left)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      end(key, chain)
    }
  }

  return {
    enter,
    async run(key, work, chain, left) {
      const leave = await enter(key, chain, left)
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

/** Counts running requests by chain, and by client and chain. */
function createChainCounts(atOnceOfChain: number, atOnceOfOneOfChain: number) {
  const ofAll = new Map<string, number>()
  const ofOne = new Map<string, number>()
  const pair = (key: string, chain: string) => `${key} ${chain}`
  return {
    isChainFree: (key: string, chain: string | undefined) =>
      chain === undefined ||
      ((ofAll.get(chain) ?? 0) < atOnceOfChain && (ofOne.get(pair(key, chain)) ?? 0) < atOnceOfOneOfChain),
    countChain(key: string, chain: string | undefined, change: 1 | -1) {
      if (chain === undefined) return
      count(ofAll, chain, change)
      count(ofOne, pair(key, chain), change)
    },
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + change
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}

function firstThat<item>(items: Iterable<item>, holds: (item: item) => boolean): item | undefined {
  for (const item of items) if (holds(item)) return item
  return undefined
}
