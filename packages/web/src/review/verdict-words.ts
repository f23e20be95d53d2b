import type { Review, Verdict } from '@countersign/safe-core'

/** What fits and yet cannot work must not look like what fits. */
export function verdictWords({
  verdict,
  wouldFail = false,
}: Pick<Review, 'verdict'> & Partial<Pick<Review, 'wouldFail'>>): Verdict | 'would-fail' {
  return verdict === 'matches' && wouldFail ? 'would-fail' : verdict
}
