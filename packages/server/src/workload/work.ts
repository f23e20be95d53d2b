import type { Steps } from '@countersign/safe'
import type { Slices } from './slices.ts'

/**
 * Processor of this process as one client may use it. What a request costs is known before it is computed, and taken from
 * what its account may use; whoever asks for less than was said gets the rest back.
 */
export type Work = {
  /**
   * Does what costs at most so much, in blocks of keccak-256, in slices.
   *
   * @throws CountersignError `RATE_LIMITED` before anything is computed
   */
  run: <Result>(atMost: number, steps: Steps<Result>) => Promise<Result>
}

/** Limits by account. */
type Limits = {
  take: (rate: 'work', client: string, cost: number) => void
  giveBack: (rate: 'work', client: string, cost: number) => void
  slices: Slices
}

export function workOf(limits: Limits, client: string): Work {
  return {
    async run(atMost, steps) {
      limits.take('work', client, atMost)
      let used = 0
      try {
        return await limits.slices.run(
          client,
          counted(steps, (cost) => {
            used += cost
          }),
        )
      } finally {
        limits.giveBack('work', client, Math.max(0, atMost - used))
      }
    },
  }
}

function* counted<Result>(steps: Steps<Result>, count: (cost: number) => void): Steps<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    count(value)
    yield value
  }
}
