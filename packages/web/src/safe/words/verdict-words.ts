import type { Verdict } from '@countersign/review'
import { text } from '../../text/lists.ts'
import type { VerdictSummary } from './verdict-summary.ts'

/**
 * A verdict as it is shown: one that would be *matches* is another where fewer sources stand behind its facts than the
 * configuration asks for.
 */
export type ShownVerdict = Verdict | 'matches-one-node'

type Judged = { verdict: Verdict; hasEnoughSources: boolean }

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
