import type { Call } from '@countersign/safe/calls'
import { approvalOf } from '../../approvals.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { reviewNestedRefund } from '../assets/refund.ts'
import { callFinding } from '../make-finding.ts'
import { resolveApproval } from '../resolve-approvals.ts'

/** Another Safe's business: approving its transaction, running it, or acting in it as a module. */
export function reviewNested(call: Call, input: ReviewInput): Finding[] {
  const approval = approvalOf(call)
  if (approval !== null) {
    const { hash } = approval
    const resolved = resolveApproval(approval, input)
    // Findings of the nested review are findings here, too.
    if ('subject' in resolved) return [callFinding(call, 'NESTED-APPROVE', 'low', { hash })]
    return [callFinding(call, 'NESTED-APPROVE', 'critical', { hash, unresolved: resolved.why })]
  }
  // Running another Safe's transaction needs that Safe's signatures; only the module functions do without, and those of a
  // module that obeys whoever calls it.
  const actsAsModule = /^exec(?:Transaction(?:FromModule|WithRole)|ute(?:UserOp|NextTx))/.test(call.name ?? '')
  const asModule = actsAsModule ? [callFinding(call, 'EXEC-AS-MODULE', 'high', { function: call.name })] : []
  return [...asModule, ...reviewNestedRefund(call)]
}
