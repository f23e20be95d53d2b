import type { Finding } from './types.ts'

const order = ['critical', 'high', 'medium', 'low', 'info']

/** Findings by severity; those of one severity stay in their order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
}
