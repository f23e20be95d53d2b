import { demandsOf, type SubjectReview, type Verdict } from '@countersign/review'
import type { Call } from '@countersign/safe/calls'
import { text } from '../../text/lists.ts'

/**
 * A verdict as it is shown: one that would be *matches* is another where fewer sources stand behind its facts than the
 * configuration asks for.
 */
export type ShownVerdict = Verdict | 'matches-one-node'

/**
 * A verdict and, beside *matches*, how many warnings there are. `call`: as the review reads it, where the registry or an ABI
 * names a function that the bytes alone do not.
 */
export type VerdictSummary = { verdict: Verdict; warnings: number; hasEnoughSources: boolean; call?: Call }

type Judged = { verdict: Verdict; hasEnoughSources: boolean }

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

/** The verdict by its shape and colour. */
export function shownVerdict({ verdict, hasEnoughSources }: Judged): ShownVerdict {
  return verdict === 'matches' && !hasEnoughSources ? 'matches-one-node' : verdict
}

/** The verdict in a few words, the same wherever a verdict is shown. */
export function verdictTitle(summary: VerdictSummary): string {
  const { warnings, hasEnoughSources } = summary
  const shown = shownVerdict(summary)
  if (shown !== 'matches-with-warnings') return text(`verdict.${shown}`)
  return text(hasEnoughSources ? 'verdict.matches-with-warnings' : 'verdict.matches-with-warnings.one-node', {
    count: warnings,
  })
}

/** The tone of a verdict, the same wherever a verdict is shown. */
export const verdictTones = {
  matches: 'good',
  'matches-one-node': 'neutral',
  'matches-with-warnings': 'warning',
  'cannot-verify': 'warning',
  'do-not-sign': 'danger',
} as const satisfies Record<ShownVerdict, string>
