import { isIPv6 } from 'node:net'
import { fail } from '@countersign/contract'

/** Above this, who was seen longest ago starts afresh: what a flood of keys takes is bounded. */
const MAX_KEYS = 20_000

/** A bucket per key: `burst` at once, then `perSecond`. In memory of one process: a limit against floods, no quota. */
export type RateLimit = {
  /** @throws CountersignError `RATE_LIMITED` */
  take: (key: string, cost?: number) => void
  /** Takes the actual cost, even if the bucket has less. The next request waits until the debt is paid. */
  spend: (key: string, cost: number) => void
  /** Returns what an overestimated request did not use. */
  giveBack: (key: string, cost?: number) => void
  /** Keys that are remembered. */
  size: () => number
}

export function createRateLimit({
  burst,
  perSecond,
  clock,
}: {
  burst: number
  perSecond: number
  clock: () => Date
}): RateLimit {
  /** In the order of use: the first is the one that was used longest ago. */
  const buckets = new Map<string, { left: number; at: number }>()
  /** Many at a time: looking for the first of a map costs as much as what was deleted before it. */
  function forgetOldest(): void {
    for (const key of buckets.keys()) {
      if (buckets.size <= MAX_KEYS * 0.9) return
      buckets.delete(key)
    }
  }
  return {
    take(key, cost = 1) {
      const now = clock().getTime()
      const bucket = buckets.get(key) ?? { left: burst, at: now }
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MAX_KEYS) forgetOldest()
      // A clock that is set back takes nothing away.
      bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
      bucket.at = now
      if (bucket.left < cost) {
        const seconds = Math.ceil((cost - bucket.left) / perSecond)
        throw fail('RATE_LIMITED', { retryAfterSeconds: seconds })
      }
      bucket.left -= cost
    },
    spend(key, cost) {
      const bucket = buckets.get(key)
      if (bucket) bucket.left -= cost
    },
    giveBack(key, cost = 1) {
      const bucket = buckets.get(key)
      if (bucket) bucket.left = Math.min(burst, bucket.left + cost)
    },
    size: () => buckets.size,
  }
}

/** Reduces an address to the part that one subscriber has: an IPv4 address, or the first half of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':').filter(Boolean)]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
