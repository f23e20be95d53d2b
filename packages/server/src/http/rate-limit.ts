import { CountersignError } from '@countersign/safe-core'

/** A bucket per key: `burst` at once, then `perSecond`. In memory of one process: a limit against floods, no quota. */
export type RateLimit = { take: (key: string, cost?: number) => void }

export function createRateLimit({
  burst,
  perSecond,
  clock,
}: {
  burst: number
  perSecond: number
  clock: () => Date
}): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(key, cost = 1) {
      const now = clock().getTime()
      if (buckets.size > 50_000)
        for (const [name, bucket] of buckets) if (now - bucket.at > (burst / perSecond) * 1000) buckets.delete(name)
      const bucket = buckets.get(key) ?? { left: burst, at: now }
      bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
      bucket.at = now
      buckets.set(key, bucket)
      if (bucket.left < cost) {
        const seconds = Math.ceil((cost - bucket.left) / perSecond)
        throw new CountersignError('RATE_LIMITED', `Too many requests: the next one is possible in ${seconds} s.`, {
          data: { retryAfterSeconds: seconds },
        })
      }
      bucket.left -= cost
    },
  }
}
