import type { Call } from '../../calldata.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { argument, callFinding } from './evidence.ts'

/** Another Safe's business: approving its transaction, or acting in it as a module. */
export function reviewNested(call: Call, { reviewedHashes = [] }: ReviewInput): Finding[] {
  if (call.name === 'approveHash(bytes32)') {
    const hash = argument(call, 'hashToApprove')
    const reviewed = reviewedHashes.find(({ safeTxHash }) => safeTxHash.toLowerCase() === hash?.toLowerCase())
    // What the other review found stands in that review; here counts only that it was made and did not refuse.
    const isResolved = reviewed?.verdict === 'matches'
    return [callFinding(call, 'NESTED-APPROVE', isResolved ? 'low' : 'critical', { hash, verdict: reviewed?.verdict })]
  }
  // Running another Safe's transaction needs that Safe's signatures; only the module functions do without.
  const actsAsModule = /^execTransaction(?:FromModule|WithRole)/.test(call.name ?? '')
  return actsAsModule ? [callFinding(call, 'EXEC-AS-MODULE', 'high', { function: call.name })] : []
}
