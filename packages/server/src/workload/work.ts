import type { Steps } from '@countersign/safe'
import type { Slices } from './slices.ts'

/**
 * Shares this process's processor among clients. The cost of a request is estimated before it is computed and taken from the
 * account's allowance. If the request costs less than estimated, the account gets the difference back.
 */
export type Work = {
  /**
   * Runs work of at most this cost, in blocks of keccak-256, in slices.
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
