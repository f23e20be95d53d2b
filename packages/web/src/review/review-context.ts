import { type Given, hashSubject, type SignedSubject } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Hex } from 'viem'
import type { ReviewLists } from '../evidence/attribution/review-lists.ts'
import { pinnedBlock } from '../evidence/pinned-block.ts'
import { type ReviewRequest, toGiven } from './subject.ts'

/** Hashes first shown on this page under a link; a server that gives other content later is caught. */
const reviewedFirst = new Map<string, Hex>()

/** Gives the hash of `reviewedFirst` for this link. The first hash that is computed for it stays there. */
function shownFirst({ claimedHash, subject }: ReviewRequest, state: SafeState | null): Hex | null {
  // Without the state the version is a guess, and so is the hash.
  if (claimedHash === null || state === null) return null
  const place = `${subject.chainId} ${subject.safeAddress} ${claimedHash}`
  const known = reviewedFirst.get(place)
  if (known) return known
  const { hash } = hashSubject(subject, state)
  reviewedFirst.set(place, hash)
  return hash
}

/**
 * Brings together what a review has before it asks the chain: for the page, for lists, and right before a signature.
 *
 * @param around `now`: milliseconds since 1970; `isNow`: run it on the newest block, right before a signature;
 *   `maxBlocksBehind`: by how many blocks the head may move until it is run again
 */
export function givenFor(
  request: ReviewRequest,
  state: SafeState | null,
  lists: ReviewLists,
  {
    isNow = false,
    maxBlocksBehind,
    ...around
  }: { chainIds: readonly number[]; now: number; isNow?: boolean; maxBlocksBehind: number },
): Given<SignedSubject> {
  const blockNumber = state === null ? undefined : pinnedBlock(state, isNow ? 'newest' : maxBlocksBehind)
  return toGiven(request, state, lists, { ...around, blockNumber, reviewedBefore: shownFirst(request, state) })
}
