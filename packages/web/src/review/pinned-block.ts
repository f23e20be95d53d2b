import type { SafeState } from '@countersign/safe-core'

/** The head may move by as many blocks before a transaction is run again. */
export const MAX_BLOCKS_BEHIND = 25n

/** For each Safe, the block on which its transactions are run, and the Safe as it stood there. */
const pinned = new Map<string, { blockNumber: bigint; seen: string }>()

/**
 * The block on whose state transactions of this Safe are run: one for all of them, until the Safe changes or the head has
 * moved too far. Right before a signature it is always the newest.
 */
export function pinnedBlock(state: SafeState, isNow = false): bigint {
  const { blockNumber, ...rest } = state
  const place = `${state.chainId} ${state.address}`
  const seen = JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const before = pinned.get(place)
  const isSame = before?.seen === seen && blockNumber - before.blockNumber <= MAX_BLOCKS_BEHIND
  // A node that is behind the others, or a reorganisation, must not turn the page back.
  if (before && isSame && !isNow) return before.blockNumber
  pinned.set(place, { blockNumber, seen })
  return blockNumber
}
