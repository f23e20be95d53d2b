import type { Call } from '../../calldata.ts'
import type { Severity } from '../catalogue.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding, Verdict } from '../types.ts'
import { argument, callFinding } from './evidence.ts'
import { reviewNestedRefund } from './refund.ts'

/** How bad it is to approve a transaction with this verdict of its own review. */
const severities: Record<Verdict, Severity> = {
  matches: 'low',
  'matches-with-warnings': 'high',
  'cannot-verify': 'critical',
  'do-not-sign': 'critical',
}

/** Another Safe's business: approving its transaction, running it, or acting in it as a module. */
export function reviewNested(call: Call, input: ReviewInput): Finding[] {
  const { reviewedHashes = [] } = input
  if (call.name === 'approveHash(bytes32)') {
    const hash = argument(call, 'hashToApprove')
    const reviewed = reviewedHashes.find(({ safeTxHash }) => safeTxHash.toLowerCase() === hash?.toLowerCase())
    // The findings of the nested review stay there; its verdict sets the severity here.
    const severity = reviewed === undefined ? 'critical' : severities[reviewed.verdict]
    return [callFinding(call, 'NESTED-APPROVE', severity, { hash, verdict: reviewed?.verdict })]
  }
  // Running another Safe's transaction needs that Safe's signatures; only the module functions do without.
  const actsAsModule = /^execTransaction(?:FromModule|WithRole)/.test(call.name ?? '')
  const asModule = actsAsModule ? [callFinding(call, 'EXEC-AS-MODULE', 'high', { function: call.name })] : []
  return [...asModule, ...reviewNestedRefund(call)]
}
