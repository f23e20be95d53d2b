import { demandsOf, type SubjectReview, type Verdict } from '@countersign/review'
import type { Call } from '@countersign/safe/calls'

/**
 * A verdict and, beside *matches*, how many warnings there are. `call`: as the review reads it, where the registry or an ABI
 * names a function that the bytes alone do not.
 */
export type VerdictSummary = { verdict: Verdict; warnings: number; hasEnoughSources: boolean; call?: Call }

/** A verdict as lists keep it. */
export function summarizeVerdict(review: SubjectReview): VerdictSummary {
  // Things that are answered as one list are as many warnings as they are.
  const warnings = demandsOf(review).reduce((sum, { things }) => sum + things.length, 0)
  const summary = { verdict: review.verdict, warnings, hasEnoughSources: review.hasEnoughSources }
  return review.kind === 'transaction' && isNamedByOthers(review.call) ? { ...summary, call: review.call } : summary
}

/** Whether the registry or an ABI names the function that a transaction, or the only call of its batch, is about. */
function isNamedByOthers({ source, calls: [only, ...others] = [] }: Call): boolean {
  if (source === 'registry' || source === 'given') return true
  return only !== undefined && others.length === 0 && isNamedByOthers(only)
}
