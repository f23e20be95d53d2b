import type { SafeState } from '@countersign/safe'

type Pinned = { blockNumber: bigint; seen: string }

/** For each Safe, the block on which its transactions are run, and the Safe as it stood there. */
const pinned = new Map<string, Pinned>()

/**
 * The block on whose state transactions of this Safe are run: one for all of them, until the Safe changes, an account that
 * a run has used does (`releaseBlock`), or the head has moved too far. Right before a signature it is always the newest.
 *
 * @param until blocks by which the head may move; `newest` takes the block of the state
 */
export function pinnedBlock(state: SafeState, until: number | 'newest'): bigint {
  const { blockNumber, ...rest } = state
  const place = placeOf(state)
  const seen = JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const before = pinned.get(place)
  const isNear = until !== 'newest' && before !== undefined && blockNumber - before.blockNumber <= BigInt(until)
  // A node that is behind the others, or a reorganisation, must not turn the page back.
  if (before?.seen === seen && isNear) return before.blockNumber
  pinned.set(place, { blockNumber, seen })
  return blockNumber
}

/** Lets the next review of a Safe take the newest block: something that a run on this block has used is different now. */
export function releaseBlock(safe: Pick<SafeState, 'chainId' | 'address'>, blockNumber: bigint): void {
  if (pinned.get(placeOf(safe))?.blockNumber === blockNumber) pinned.delete(placeOf(safe))
}

function placeOf({ chainId, address }: Pick<SafeState, 'chainId' | 'address'>): string {
  return `${chainId} ${address}`
}
