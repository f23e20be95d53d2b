import { type CheckId, checkIds, findingEntry } from './catalogue.ts'
import type { Check, Finding, Verdict } from './types.ts'

/**
 * The verdict, whatever is reviewed: the worst wins. A critical finding is *do not sign*. Where an essential check did
 * not pass, or a finding fails one, the review *cannot verify*. A high finding makes it *matches with warnings*, and
 * *matches* is left for the rest. Checks that are not essential speak through the severity of their findings.
 *
 * @example
 * decide({ checks, findings: [] }) // 'matches', when every essential check passed
 */
export function decide({ checks, findings }: { checks: readonly Check[]; findings: readonly Finding[] }): Verdict {
  if (findings.some(({ severity }) => severity === 'critical')) return 'do-not-sign'
  if (openChecks(checks).length > 0 || findings.some(failsEssential)) return 'cannot-verify'
  return findings.some(({ severity }) => severity === 'high') ? 'matches-with-warnings' : 'matches'
}

/** The essential checks that did not pass: failed, or never made. */
export function openChecks(checks: readonly Check[]): Check[] {
  return checks.filter(({ id, status }) => status !== 'passed' && checkIds[id] === 'essential')
}

/** The essential checks that did not pass and that no finding speaks for. */
export function unexplainedChecks(of: { checks: readonly Check[]; findings: readonly Finding[] }): Check[] {
  return openChecks(of.checks).filter(({ id }) => !of.findings.some((known) => failedCheck(known) === id))
}

/** The check that a finding fails, if it fails one. */
export function failedCheck({ id, severity }: Finding): CheckId | undefined {
  const { fails, failsAtWorst, severities } = findingEntry(id)
  return fails ?? (severity === severities[0] ? failsAtWorst : undefined)
}

/** Whether a finding fails an essential check. A message can have one of a check that its list does not name. */
export function failsEssential(found: Finding): boolean {
  const check = failedCheck(found)
  return check !== undefined && checkIds[check] === 'essential'
}
