const FIRST_BLOCKS = 200
const MAX_BLOCKS = 50_000
/** Logs are kept in memory until they are written: no range is made wider that has half as many already. */
const MANY_LOGS = 10_000
const FIRST_PATIENCE = 50
const MAX_ROUNDS_BEFORE_GROWTH = 10_000

/** How many blocks to ask for at once. */
export type RangeSize = {
  next: () => number
  /** @param logs how many came of so many blocks */
  accepted: (blocks: number, logs: number) => void
  /** @param hint how many the node itself says that it takes */
  refused: (blocks: number, hint?: number | null) => void
}

/**
 * Finds what a node takes, which nodes say each in its own words or not at all: by halves, between what it took and what
 * it refused. What was found is kept; a little more is tried after many ranges that were taken, and more seldom each time
 * that this is refused. What was refused for its many logs, and not for its blocks, is so tried again as well.
 */
export function createRangeSize(): RangeSize {
  let size = FIRST_BLOCKS
  /** The largest that was taken, and the smallest that was refused since. */
  let taken = 0
  let refusedAt = Number.POSITIVE_INFINITY
  let patience = FIRST_PATIENCE
  let inRow = 0
  let isTrying = false

  function isFound(): boolean {
    return refusedAt - taken <= Math.max(1, taken / 100)
  }

  return {
    next: () => size,
    accepted(blocks, logs) {
      if (logs > MANY_LOGS) {
        size = Math.max(1, Math.floor((blocks * MANY_LOGS) / (2 * logs)))
        return
      }
      // The end of what there is says nothing of what the node takes.
      if (blocks < size) return
      taken = Math.max(taken, blocks)
      isTrying = false
      if (logs > MANY_LOGS / 2) return
      if (refusedAt === Number.POSITIVE_INFINITY) size = Math.min(MAX_BLOCKS, size * 2)
      else if (isFound()) {
        size = taken
        inRow += 1
        if (inRow <= patience) return
        inRow = 0
        patience = Math.min(MAX_ROUNDS_BEFORE_GROWTH, patience * 2)
        refusedAt = Number.POSITIVE_INFINITY
        size = Math.min(MAX_BLOCKS, size * 2)
        isTrying = true
      } else size = Math.floor((taken + refusedAt) / 2)
    },
    refused(blocks, hint) {
      inRow = 0
      refusedAt = isTrying && taken < blocks ? taken + 1 : Math.min(refusedAt, blocks)
      isTrying = false
      if (taken >= refusedAt) taken = 0
      if (hint && hint < blocks) {
        taken = hint
        refusedAt = hint + 1
      }
      size = Math.max(1, isFound() ? taken : Math.floor((taken + refusedAt) / 2))
    },
  }
}
