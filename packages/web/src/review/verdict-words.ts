import { type Demanding, demandsOf, type Verdict } from '@countersign/safe-core'
import { text } from './text.ts'

/** A verdict and, beside *matches*, how many warnings there are. */
export type VerdictSummary = { verdict: Verdict; warnings: number }

/** A verdict as lists keep it. */
export function summarizeVerdict(review: Demanding & { verdict: Verdict }): VerdictSummary {
  return { verdict: review.verdict, warnings: demandsOf(review).length }
}

/** The verdict in a few words, the same wherever a verdict is shown. */
export function verdictTitle({ verdict, warnings }: VerdictSummary): string {
  return verdict === 'matches-with-warnings'
    ? text('verdict.matches-with-warnings', { count: warnings })
    : text(`verdict.${verdict}`)
}

/** The tone of a verdict, the same wherever a verdict is shown. */
export const verdictTones = {
  matches: 'good',
  'matches-with-warnings': 'warning',
  'cannot-verify': 'warning',
  'do-not-sign': 'danger',
} as const satisfies Record<Verdict, string>
