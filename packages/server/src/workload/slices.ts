import type { Steps } from '@countersign/safe'

/** Blocks of keccak-256 in a slice. A slice takes less than a millisecond, like an ordinary request. */
export const SLICE_BLOCKS = 64

/**
 * Runs long work in slices, one slice in each turn of the event loop. Clients take turns, so other clients wait for at most one
 * slice of a client with much work.
 */
export type Slices = {
  /** @throws what the work throws */
  run: <Result>(client: string, steps: Steps<Result>) => Promise<Result>
}

/** Starts the work of one client in each turn of the event loop. Clients take turns. */
type Turns = { take: (client: string, begin: () => void) => void }

export function createSlices(turns: Turns): Slices {
  return {
    run: (client, steps) =>
      new Promise((resolve, reject) => {
        const takeSlice = () => {
          try {
            for (let done = 0; done < SLICE_BLOCKS; ) {
              const step = steps.next()
              if (step.done) return resolve(step.value)
              done += step.value
            }
          } catch (error) {
            return reject(error)
          }
          turns.take(client, takeSlice)
        }
        turns.take(client, takeSlice)
      }),
  }
}
