/** Whether the long tests run in full: `npm run soak` sets a seed, `npm test` runs a fixed sample of each. */
export const isSoak = process.env.SOAK_SEED !== undefined

export const seed = Number(process.env.SOAK_SEED ?? 1521)

const SOAK_FACTOR = 10

/** Gives the options of fast-check for so many runs, and for ten times as many in a soak, or for the number given. */
export function runs(sample, soak = SOAK_FACTOR * sample) {
  return { seed, numRuns: isSoak ? soak : sample }
}

/** Creates a source of whole numbers from 0 up to a bound, whose order the seed decides (mulberry32). */
export function createRandomInt() {
  let state = seed | 0
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}
