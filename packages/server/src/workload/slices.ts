import type { Steps } from '@countersign/safe'

/** Blocks of keccak-256 in a slice: it takes the processor for less than a millisecond, as any request does. */
export const SLICE_BLOCKS = 64

/**
 * Does long work a slice at a time, one slice in each turn of the event loop, clients in turns: whoever asks for much waits
 * for it, and nobody else waits for more than a slice.
 */
export type Slices = {
  /** @throws what the work throws */
  run: <Result>(client: string, steps: Steps<Result>) => Promise<Result>
}

/** Lets the work of one client begin in each turn of the event loop, clients in turns. */
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
