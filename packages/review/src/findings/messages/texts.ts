import { HIDDEN_CHARACTER } from '@countersign/safe'
import type { Severity } from '../../catalogue.ts'
import type { EvidenceOf } from '../../evidence.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'

const MAX_LENGTH = 256
/** Length that a finding repeats of a text; the rest is only counted. */
const MAX_EVIDENCE = 2_000

/** Lists the findings about the proposer's own words, which prove nothing, and about texts that may hide something. */
export function reviewTexts({ origin, tokenClaims = {} }: ReviewInput): Finding[] {
  const findings: Finding[] = []
  if (origin !== null && origin !== '') {
    findings.push(finding('ORIGIN-CLAIM', 'info', { origin: origin.slice(0, MAX_EVIDENCE) }, { field: 'origin' }))
    findings.push(...reviewText(origin, 'medium', { field: 'origin' }))
  }
  // A name is what people know a token by: hiding something in it is worse than in a note.
  for (const [token, claim] of Object.entries(tokenClaims)) {
    for (const name of claim === undefined ? [] : [claim.symbol, claim.name]) {
      findings.push(...reviewText(name, 'high', {}, { token }))
    }
  }
  return findings
}

/** Characters that cannot be seen or that reorder what is seen, and texts too long to be read. */
export function reviewText(
  written: string,
  severity: Severity,
  where: Finding['where'] = {},
  evidence: Pick<EvidenceOf<'TEXT-CONTROL'>, 'token' | 'name'> = {},
  { maxLength = MAX_LENGTH, allowed = '' } = {},
): Finding[] {
  const hidden = new Set<string>()
  for (const character of written) {
    if (hidden.size >= 32) break
    if (HIDDEN_CHARACTER.test(character) && !allowed.includes(character)) hidden.add(character)
  }
  if (hidden.size === 0 && written.length <= maxLength) return []
  const codePoints = [...hidden].map(codePoint).join(' ')
  return [finding('TEXT-CONTROL', severity, { ...evidence, codePoints, length: written.length }, where)]
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
