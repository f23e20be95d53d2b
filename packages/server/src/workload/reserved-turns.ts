import { fail } from '@countersign/contract'

/** Members that are remembered. If there are more, the oldest reservation is forgotten. */
const MAX_RESERVED = 20_000
/** Groups that are remembered. If there are more, the group that asked longest ago is forgotten and starts with a full burst. */
const MAX_GROUPS = 20_000
/** Time for which a turn is kept after it has come. */
const KEPT_MS = 60_000

/** A rate limit that the members of a group share. A member that is refused gets a reserved turn later. */
export type ReservedTurns = {
  /** @throws CountersignError `RATE_LIMITED`, with the seconds until the member's turn */
  take: (group: string, member: string) => void
  /** Returns a turn that was not needed. */
  giveBack: (group: string) => void
}

/**
 * Limits all members of a group together, however many they are. A member that is refused gets a reserved turn. Other members
 * cannot use it up, however often they ask.
 *
 * @example
 * createReservedTurns({ burst: 2, perSecond: 1, clock }).take(network, account)
 */
export function createReservedTurns({
  burst,
  perSecond,
  clock,
}: {
  burst: number
  perSecond: number
  clock: () => Date
}): ReservedTurns {
  const turnMs = 1000 / perSecond
  /** Time of the next free turn of each group, in the order of use. A turn is free up to `burst` turns before its time. */
  const next = new Map<string, number>()
  /** Times of the reserved turns, in the order of reservation. */
  const reserved = new Map<string, number>()
  let latest = 0

  /** Returns the time. When the clock was set back, it forgets all turns, which would be too far in the future. */
  function readClock(): number {
    const now = clock().getTime()
    if (now < latest) {
      next.clear()
      reserved.clear()
    }
    latest = now
    return now
  }

  function put(map: Map<string, number>, key: string, at: number, max: number): void {
    map.delete(key)
    map.set(key, at)
    const [oldest] = map.keys()
    if (map.size > max && oldest !== undefined) map.delete(oldest)
  }

  return {
    take(group, member) {
      const now = readClock()
      const key = `${group} ${member}`
      const kept = reserved.get(key)
      const isKept = kept !== undefined && now < kept + KEPT_MS
      if (isKept && kept <= now) return void reserved.delete(key)
      const free = Math.max(next.get(group) ?? 0, now)
      const turn = isKept ? kept : free - (burst - 1) * turnMs
      if (!isKept) put(next, group, free + turnMs, MAX_GROUPS)
      if (turn <= now) return void reserved.delete(key)
      if (!isKept) put(reserved, key, turn, MAX_RESERVED)
      throw fail('RATE_LIMITED', { retryAfterSeconds: Math.ceil((turn - now) / 1000) })
    },
    giveBack(group) {
      const at = next.get(group)
      if (at !== undefined) next.set(group, at - turnMs)
    },
  }
}
