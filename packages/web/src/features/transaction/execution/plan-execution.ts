import type { Facts, Review } from '@countersign/review'
import type { SafeState, SafeTx } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { readyExecution } from '../../../safe/execution/encode-execution.ts'
import { executionGas } from '../../../safe/execution/execution-gas.ts'

/** The call that executes a transaction, null while confirmations are missing; and its gas, null if no simulation says. */
export type PlannedExecution = { call: { to: Address; data: Hex } | null; gas: bigint | null }

/** Plans the execution of a transaction by its review. Both values are null while the fields or the Safe are unknown. */
export function planExecution(
  safeTx: SafeTx | null,
  { state, review, facts }: { state: SafeState | undefined; review: Review | undefined; facts: Facts },
): PlannedExecution {
  if (!state || !safeTx) return { call: null, gas: null }
  return {
    call: review ? readyExecution(safeTx, review.confirmations, state) : null,
    gas: executionGas(facts, { signatures: state.threshold, ...safeTx }),
  }
}
