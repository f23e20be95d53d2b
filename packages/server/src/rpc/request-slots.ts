import { HttpRequestError } from 'viem'
import { isNodeFailure } from './errors.ts'
import { type Client, createPlaces } from './places.ts'

/** Concurrent batches for waiting clients, and for followers. Neither kind takes a place from the other. */
const MAX_AT_ONCE = { front: 4, behind: 6 }
/** Additional places for calls that are passed on, and for calls of unknown contracts. */
const FOR_CLIENTS = { atOnce: 4, atOnceOfOne: 2 }
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000
/** A node that was asked too often is asked at least this often in a second, and faster with each answer. */
const LEAST_PACE = 10
/** Growth of a pace that was learned, in a second in which all of it is used. */
const FASTER = 0.2
/** Growth near the pace that was refused last. */
const FASTER_NEAR_REFUSED = 0.02
const NEAR_REFUSED = 0.7
/** Above this pace the learned limit is dropped. */
const FASTEST_PACE = 1_000
/** A node that names a longer pause is asked again after this one. */
const MAX_RETRY_AFTER_MS = 600_000

/** When a node that failed is asked again. */
export function createBackoff() {
  let failures = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let pausedUntil = 0
  let failure: unknown = null
  return {
    failure: () => failure,
    pause: () => Math.max(0, pausedUntil - performance.now()),
    answered() {
      failures = 0
      failure = null
    },
    /** Requests that were under way at a failure count as one failure together. */
    failed(error: unknown, startedAt: number) {
      if (!isNodeFailure(error)) return
      failure = error
      const now = performance.now()
      const wish = error instanceof HttpRequestError ? parseRetryAfter(error.headers?.get('retry-after')) : 0
      pausedUntil = Math.max(pausedUntil, now + Math.min(wish, MAX_RETRY_AFTER_MS))
      if (startedAt < failedAt) return
      failures += 1
      failedAt = now
      const longest = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
      pausedUntil = Math.max(pausedUntil, now + longest * (0.5 + Math.random() / 2))
    },
  }
}

/** A request of a client: calls that it wrote, or a call of a contract that it names. */
export type ForClient = { kind: 'passed' | 'contract'; client: Client }
/** Requests of this process: for waiting clients, or for a follower. `signal` aborts when all these clients have left. */
export type Own = { kind: 'front' | 'behind'; signal?: AbortSignal | undefined }

/** Order of turns at a node with a rate limit. */
const ORDER = ['front', 'contract', 'passed', 'behind'] as const
/** Every fourth turn goes to the request that has waited longest, so that no kind of request waits forever. */
const TURN_OF_OLDEST = 4

/** Gives a place back; `rest` as in `Places`. */
export type GiveBack = (rest?: number) => void

export type RequestSlots = {
  /**
   * Waits for a place among the concurrent requests, unless it is given one, and, if the node has a rate limit, for its turn.
   *
   * @param calls returns the number of calls. Called again when the batch gets its turn, because clients may have left
   * @returns a function that gives the place back
   * @throws the reason of the signal if the client leaves first
   */
  take: (calls: () => number, given: ForClient | Own, place?: GiveBack) => Promise<GiveBack>
  /** Waits for a place for a batch. Requests that arrive meanwhile go into the same batch. */
  takePlace: (kind: Own['kind']) => Promise<GiveBack>
  /** Calls that were sent in the last second. */
  inLastSecond: () => number
  /** Halves the pace after the node refused requests sent at `startedAt` as too many. */
  tooOften: (startedAt: number) => void
  /** The node answered so many calls: a pace that was learned may be a little faster. */
  answered: (calls: number) => void
  /** Calls that one batch may have at the pace that was learned; infinite without one. */
  largestBatch: () => number
  /** Limits a batch for clients to the calls that the pace allows in less than half a second. */
  largestBatchOfClients: () => number
}

type Paced = { kind: (typeof ORDER)[number]; calls: () => number; start: () => void }

export function createRequestSlots(requestsPerSecond: number | undefined): RequestSlots {
  let recent: { at: number; calls: number }[] = []
  /** Calls in a second, as learned from refusals. */
  let learned = Number.POSITIVE_INFINITY
  /** Calls in the second in which the node last refused. */
  let refusedAt = Number.POSITIVE_INFINITY
  let loweredAt = Number.NEGATIVE_INFINITY
  let freeAt = 0
  /** Requests that wait for their turn at the allowed pace. */
  const paced: Paced[] = []
  let isPacing = false
  let turn = 0
  const own = { front: createQueue(MAX_AT_ONCE.front), behind: createQueue(MAX_AT_ONCE.behind) }
  const ofClients = { passed: createPlaces(FOR_CLIENTS), contract: createPlaces(FOR_CLIENTS) }
  const pace = () => Math.min(learned, requestsPerSecond ?? Number.POSITIVE_INFINITY)
  const takeNext = () => {
    turn = (turn + 1) % TURN_OF_OLDEST
    const kind = ORDER.find((one) => paced.some((waiting) => waiting.kind === one))
    const at = turn === 0 ? 0 : paced.findIndex((waiting) => waiting.kind === kind)
    return paced.splice(at, 1)[0]
  }
  const keepPace = async () => {
    if (isPacing) return
    isPacing = true
    while (paced.length > 0) {
      const wait = freeAt - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      // Chosen only now, so that requests for clients come before earlier ones of the follower. There is none if all have left.
      const next = takeNext()
      if (!next) break
      freeAt = Math.max(performance.now(), freeAt) + (1000 * next.calls()) / pace()
      next.start()
    }
    isPacing = false
  }
  const untilPaced = (calls: () => number, kind: Paced['kind'], signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        paced.splice(paced.indexOf(waiting), 1)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiting: Paced = { kind, calls, start }
      signal?.addEventListener('abort', leave, { once: true })
      paced.push(waiting)
      void keepPace()
    })
  const inLastSecond = () => {
    recent = recent.filter(({ at }) => at > performance.now() - 1_000)
    return recent.reduce((sum, { calls }) => sum + calls, 0)
  }
  return {
    inLastSecond,
    tooOften(startedAt) {
      // Calls that were under way together are refused once.
      if (startedAt < loweredAt) return
      loweredAt = performance.now()
      refusedAt = Math.min(learned, inLastSecond())
      learned = Math.max(LEAST_PACE, refusedAt / 2)
    },
    answered(calls) {
      if (learned === Number.POSITIVE_INFINITY) return
      const faster = learned > refusedAt * NEAR_REFUSED ? FASTER_NEAR_REFUSED : FASTER
      learned += faster * Math.min(calls, learned)
      if (learned > FASTEST_PACE) learned = Number.POSITIVE_INFINITY
    },
    largestBatch: () => Math.max(1, Math.floor(pace())),
    largestBatchOfClients: () => Math.max(1, Math.floor(pace() / 2)),
    takePlace: (kind) => own[kind].take(),
    async take(calls, given, place) {
      const isOfClient = 'client' in given
      const { signal } = isOfClient ? given.client : given
      const giveBack =
        place ?? (await (isOfClient ? ofClients[given.kind].take(given.client) : own[given.kind].take(signal)))
      try {
        signal?.throwIfAborted()
        if (pace() < Number.POSITIVE_INFINITY) await untilPaced(calls, given.kind, signal)
        signal?.throwIfAborted()
      } catch (error) {
        giveBack()
        throw error
      }
      const now = performance.now()
      recent = [...recent.filter(({ at }) => at > now - 1_000), { at: now, calls: calls() }]
      return giveBack
    },
  }
}

/** Gives places in the order of requests. */
function createQueue(most: number) {
  const waiting = new Set<() => void>()
  let atOnce = 0
  const giveBack = () => {
    const [next] = waiting
    if (next) next()
    else atOnce -= 1
  }
  return {
    async take(signal?: AbortSignal): Promise<GiveBack> {
      signal?.throwIfAborted()
      if (atOnce < most) atOnce += 1
      else
        await new Promise<void>((resolve, reject) => {
          const leave = () => {
            waiting.delete(start)
            reject(signal?.reason)
          }
          const start = () => {
            waiting.delete(start)
            signal?.removeEventListener('abort', leave)
            resolve()
          }
          signal?.addEventListener('abort', leave, { once: true })
          waiting.add(start)
        })
      return giveBack
    },
  }
}

/** Milliseconds, from seconds or a date; 0 for neither. */
function parseRetryAfter(text: string | null | undefined): number {
  if (!text) return 0
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Math.max(0, milliseconds || 0)
}
