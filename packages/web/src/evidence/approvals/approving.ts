import { type Approval, approvalsOf, type Given, MAX_APPROVALS } from '@countersign/review'
import type { HashSources } from '../proof/hash-sources.ts'

/** Subjects of other Safes that are approved by their hash, and what the reader goes by. */
export type Approving = Required<Pick<Given, 'chainId' | 'tokens' | 'abis' | 'named'>> & {
  approvals: readonly Approval[]
  chainIds: readonly number[]
  /** Day of the review, in milliseconds since 1970. */
  now: number
  /** Sources that name the block of the facts. */
  sources: HashSources
}

/**
 * Lists what a subject approves, as much as a review looks into. Bytes that cannot be read approve nothing: the review
 * refuses them. Null where nothing is approved.
 */
export function approvingOf(given: Given, sources: HashSources): Approving | null {
  const approvals = distinctApprovals(given)
  if (approvals.length === 0) return null
  const { chainId, tokens, abis = [], named = [], chainIds = [], now } = given
  const day = Math.floor((now ?? 0) / DAY_MS) * DAY_MS
  return { chainId, tokens, abis, named, approvals, chainIds, now: day, sources }
}

const DAY_MS = 86_400_000

function distinctApprovals(given: Given): Approval[] {
  try {
    const byKey = new Map(
      approvalsOf(given).map((approval) => [
        [approval.hash, approval.safeAddress, approval.by, approval.message].join(' '),
        approval,
      ]),
    )
    return [...byKey.values()].slice(0, MAX_APPROVALS)
  } catch {
    return []
  }
}
