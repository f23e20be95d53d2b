import { argumentAddresses, type Call, flattenCalls } from '../../../calldata.ts'
import { isSameAddress } from '../../../same-address.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../evidence.ts'
import { executedRun } from './finished.ts'

/** Allowances that code grants in the name of the Safe, and that no call speaks of. */
export function reviewApprovalsLeft(call: Call, input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const told = run.outcome.kind === 'success' ? flattenCalls(call).filter(givesRights) : []
  return run.approvals.flatMap(({ owner, token, spender, standard, tokenId, before, after }) => {
    if (!isSameAddress(owner, input.safeAddress) || after === null || after === 0n || after <= (before ?? 0n)) return []
    // Its own finding says what a call allows.
    if (told.some((one) => argumentAddresses(one).some((named) => isSameAddress(named, spender)))) return []
    const evidence = {
      spender,
      token,
      amount: String(after),
      standard,
      tokenId: tokenId === null ? null : String(tokenId),
    }
    return [finding('APPROVAL-LEFT', 'high', evidence)]
  })
}

function givesRights({ family, kind }: Call): boolean {
  return kind === 'erc20-approve' || family === 'approve-all' || family === 'spending-right'
}
