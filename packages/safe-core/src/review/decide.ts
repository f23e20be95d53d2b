import { checkIds } from './catalogue.ts'
import type { Check, Finding, Verdict } from './types.ts'

/**
 * The verdict, whatever is reviewed: the worst wins. A critical finding is *do not sign*; *matches* needs every
 * essential check passed and no other failed. What is about the outcome leaves the verdict alone.
 */
export function decide({ checks, findings }: { checks: readonly Check[]; findings: readonly Finding[] }): Verdict {
  if (findings.some(({ severity }) => severity === 'critical')) return 'do-not-sign'
  const isComplete = checks.every(
    ({ id, status }) =>
      status === 'passed' || checkIds[id] === 'outcome' || (status === 'not-checked' && checkIds[id] !== 'essential'),
  )
  return isComplete ? 'matches' : 'cannot-verify'
}
