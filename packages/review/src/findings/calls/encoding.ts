import { type Call, type CallIssue, callIssueKinds } from '@countersign/safe/calls'
import { size } from 'viem'
import type { FindingId, Severity } from '../../catalogue.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/** Finding and severity of each kind of issue with the bytes. */
const issueFindings = {
  BUDGET: ['DECODE-BUDGET', 'critical'],
  MULTISEND_MALFORMED: ['MULTISEND-MALFORMED', 'critical'],
  NONCANONICAL: ['DECODE-NONCANONICAL', 'high'],
  TEXT: ['TEXT-CONTROL', 'medium'],
  REVERTS: ['BATCH-REVERT', 'high'],
} as const satisfies Record<(typeof callIssueKinds)[CallIssue['id']], readonly [FindingId, Severity]>

type IssueFinding = (typeof issueFindings)[keyof typeof issueFindings][0]

/** Bytes that cannot be taken at face value: one finding for each kind, at the first place, with how many there are. */
export function reviewEncoding(call: Call): Finding[] {
  const byKind = new Map<IssueFinding, { severity: Severity; issues: CallIssue[] }>()
  for (const issue of call.issues) {
    const [id, severity] = issueFindings[callIssueKinds[issue.id]]
    const known = byKind.get(id)
    if (known === undefined) byKind.set(id, { severity, issues: [issue] })
    else known.issues.push(issue)
  }
  const findings = [...byKind].map(([id, { severity, issues }]) => {
    const [first] = issues
    const evidence = {
      function: call.name,
      issue: [...new Set(issues.map((issue) => issue.id))].join(', '),
      places: issues.length,
      bytes: size(call.data),
    }
    const bytes = first === undefined ? {} : { bytes: { start: first.start, end: first.end } }
    const found = callFinding(call, id, severity, evidence)
    return { ...found, where: { ...found.where, ...bytes } }
  })
  if (call.isZeroTarget) findings.push(callFinding(call, 'MULTISEND-ZERO-TO', 'high', { means: call.to }))
  if (call.source === 'given') findings.push(reviewGiven(call))
  const other = call.alternatives.find(({ isExact }) => isExact)
  if (other !== undefined) {
    const evidence = { function: call.name, alternative: other.signature }
    findings.push(callFinding(call, 'SELECTOR-AMBIGUOUS', 'medium', evidence))
  }
  return findings
}

/** An ABI that was given. Of most proxies nothing here shows that they run the code that they name. */
function reviewGiven(call: Call): Finding {
  const { implementation } = call
  const isShown =
    implementation === undefined ||
    (!implementation.isMixed && (implementation.kind === 'minimal' || implementation.kind === 'safe'))
  return callFinding(call, 'DECODE-GIVEN', isShown ? 'medium' : 'high', {
    function: call.name,
    behind: implementation?.address,
    codeHash: implementation?.codeHash,
  })
}
