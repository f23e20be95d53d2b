import type { Hex } from 'viem'
import type { CheckId } from '../catalogue.ts'
import type { MissingOfKind } from '../checks.ts'
import type { SubjectInput } from '../input.ts'
import type { Check, Finding } from '../types.ts'

/** Part of a review that depends on the kind of its subject; the rest is common to all. */
export type Reading<OfKind> = {
  /** That owners sign. */
  hash: Hex
  checks: readonly CheckId[]
  /** Checks that fail without a finding. */
  failing?: readonly CheckId[]
  ofHash: Finding[]
  ofContent: Finding[]
  /** Those that can be judged by the hash. */
  confirmations: readonly { owner: `0x${string}`; signature: Hex }[]
  missing: MissingOfKind
  /** Findings that look at the review itself. They fail no check. */
  later?: (review: OfKind) => Promise<Finding[]>
  /** Adds the fields that only reviews of this kind have. */
  toReview: (checks: readonly Check[]) => OfKind
}

/** Whether there is a policy to apply, or one that should be there. Most teams have none, and need no code that applies it. */
export function hasPolicy({ policy }: Pick<SubjectInput, 'policy'>): boolean {
  return policy !== undefined && policy.status !== 'none'
}
