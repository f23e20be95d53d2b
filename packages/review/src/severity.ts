import type { Severity } from './catalogue.ts'
import type { Finding } from './types.ts'

const order: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info']

/** Whether something, by whomever, is a severity. */
export function isSeverity(value: unknown): value is Severity {
  return order.some((severity) => severity === value)
}

/** Findings by severity; those of one severity stay in their order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
}
