import { type Demanding, demandsOf, type Verdict } from '@countersign/safe-core'
import { text } from './text.ts'

/** The verdict in a few words, with how many warnings there are. The same wherever a verdict is shown. */
export function verdictTitle(review: Demanding & { verdict: Verdict }): string {
  const { verdict } = review
  return verdict === 'matches-with-warnings'
    ? text('verdict.matches-with-warnings', { count: demandsOf(review).length })
    : text(`verdict.${verdict}`)
}
