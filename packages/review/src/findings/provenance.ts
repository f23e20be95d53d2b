import type { SubjectInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { finding } from './make-finding.ts'

/** Whether sources contradict each other, the block is an old one, a proof is wrong, or the Safe's storage is not what was read of the Safe. */
export function reviewProvenance({ provenance, safeSlots }: SubjectInput): Finding[] {
  const findings: Finding[] = []
  const { contradicting = [], refused = [], ahead = [] } = provenance ?? {}
  if (contradicting.length > 0)
    findings.push(finding('SOURCES-DISAGREE', 'high', { sources: contradicting.join(', ') }))
  if (ahead.length > 0) findings.push(finding('BLOCK-OLD', 'high', { sources: ahead.join(', ') }))
  if (refused.length > 0) findings.push(finding('PROOF-WRONG', 'high', { facts: refused.join(', ') }))
  const differing = safeSlots?.differing ?? []
  if (differing.length > 0) findings.push(finding('STATE-DIFFERS', 'high', { parts: differing.join(', ') }))
  return findings
}
