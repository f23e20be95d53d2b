import { type ReportedPack, type Reviewed, reportLimits } from '@countersign/contract'
import {
  type Acknowledgement,
  type FactGrade,
  type Finding,
  type SubjectReview,
  writtenEvidence,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { showUntrusted } from '../../text/untrusted.ts'

/** Content of the screen when somebody signed. */
type Seen = {
  review: Pick<SubjectReview, 'verdict' | 'findings' | 'grade'>
  /** Null: the Safe could not be read. */
  state: Pick<SafeState, 'blockNumber'> | null
  /** Version of the team's policy; null: the review used none. */
  policyVersion: number | null
  acknowledgements: readonly Acknowledgement[]
  /** The proof pack that this page made of it; null: none. */
  pack: ReportedPack | null
}

const gradeWords = {
  proved: 'proved',
  'one-node': 'said-by-one-node',
  unknown: 'unknown',
} as const satisfies Record<FactGrade, Reviewed['grade']>

/**
 * Writes down what this page showed: what the owner says to the others that they saw. It always fits the limits: what has
 * no room is counted.
 */
export function reportOf({ review, state, policyVersion, acknowledgements, pack }: Seen): Reviewed {
  const report = {
    verdict: review.verdict,
    policyVersion,
    block: state && Number(state.blockNumber),
    grade: state ? gradeWords[review.grade] : 'unknown',
    findings: review.findings.slice(0, reportLimits.findings).map(reportFinding),
    acknowledgements: acknowledgements.slice(0, reportLimits.acknowledgements).map(reportAcknowledgement),
    leftOut: 0,
    ...(pack ? { pack } : {}),
  } satisfies Reviewed
  const all = review.findings.length + acknowledgements.length
  const count = () => all - report.findings.length - report.acknowledgements.length
  report.leftOut = count()
  while (bytesOf(report) > reportLimits.bytes) {
    // Acknowledgements say more than findings: the mildest findings go first.
    if (report.findings.length > 0) report.findings.pop()
    else report.acknowledgements.pop()
    report.leftOut = count()
  }
  return report
}

function reportFinding({ id, severity, evidence }: Finding): Reviewed['findings'][number] {
  const said = Object.entries(writtenEvidence(evidence)).flatMap(([name, value]) =>
    value === '' ? [] : [`${name} ${value}`],
  )
  const text = oneLine(said.join(', '), reportLimits.evidence)
  return { id, severity, ...(text === '' ? {} : { evidence: text }) }
}

function reportAcknowledgement({
  key,
  id,
  words,
  typed = '',
  reason = '',
}: Acknowledgement): Reviewed['acknowledgements'][number] {
  const said = { typed: oneLine(typed, reportLimits.typed), reason: oneLine(reason, reportLimits.reason) }
  return {
    key,
    id,
    words: oneLine(words, reportLimits.words) || id,
    ...(said.typed === '' ? {} : { typed: said.typed }),
    ...(said.reason === '' ? {} : { reason: said.reason }),
  }
}

/** One line without characters that cannot be seen, in as many UTF-16 units as the limit allows. */
function oneLine(text: string, maxLength: number): string {
  const shown = showUntrusted(text.replaceAll(/\s+/g, ' ').replaceAll(/[\u2066-\u2069]/g, ''), maxLength)
  let line = ''
  for (const character of shown.replaceAll(/[\u2066-\u2069]/g, '')) {
    if (line.length + character.length > maxLength - 1) return `${line.trim()}…`
    line += character
  }
  return line.trim()
}

function bytesOf(report: Reviewed): number {
  return new TextEncoder().encode(JSON.stringify(report)).length
}
