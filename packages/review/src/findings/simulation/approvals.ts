import { isSameAddress } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { argument, argumentAddresses } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { ApprovalChange } from '../../simulation/simulation-result.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { executedRun } from './finished.ts'

/** Allowances that code grants in the name of the Safe, and that no call speaks of. */
export function reviewApprovalsLeft(call: Call, input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const told = run.outcome.kind === 'success' ? flattenCalls(call).filter(givesRights) : []
  return run.approvals.flatMap((change) => {
    const { owner, token, spender, standard, tokenId, before, after } = change
    if (!isSameAddress(owner, input.safeAddress) || after === null || after === 0n || after <= (before ?? 0n)) return []
    // Its own finding says what a call allows.
    if (told.some((inner) => grants(inner, change))) return []
    const evidence = {
      spender,
      token,
      amount: { value: after, asset: token },
      standard,
      tokenId,
    }
    return [finding('APPROVAL-LEFT', 'high', evidence)]
  })
}

/** Whether a call allows as much: of this token, to this spender. One that ends an allowance grants nothing. */
function grants(call: Call, { token, spender, standard, before, after }: ApprovalChange): boolean {
  const named = argumentAddresses(call)
  const isAbout = (address: Address) => named.some((other) => isSameAddress(other, address))
  if (!isAbout(spender) || !(isSameAddress(call.to, token) || isAbout(token))) return false
  const amount = argument(call, 'amount')
  const isSum = (standard === 'erc20' || standard === 'permit2') && call.kind === 'erc20-approve'
  return !isSum || amount === null || (after ?? 0n) <= (before ?? 0n) + BigInt(amount)
}

function givesRights({ family, kind }: Call): boolean {
  return kind === 'erc20-approve' || family === 'approve-all' || family === 'spending-right'
}
