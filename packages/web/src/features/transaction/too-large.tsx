import type { Facts } from '@countersign/review'
import type { SafeState, SafeTx } from '@countersign/safe'
import { executionSize, MAX_TRANSACTION_BYTES } from '@countersign/safe/calls'
import { executionExcess } from '../../safe/execution/execution-gas.ts'
import { Notice } from '../../ui/notice.tsx'
import { text } from './text.ts'

/**
 * The remedy for an execution of more gas than a transaction may have, or of more bytes than nodes take. The point to answer says
 * how many there are.
 */
export function TooLarge({ safeTx, state, facts }: { safeTx: SafeTx; state: SafeState; facts: Facts }) {
  return (
    <>
      {executionExcess(facts, { signatures: state.threshold, ...safeTx }) !== null && (
        <Notice tone="warning">{text('execute.excess')}</Notice>
      )}
      {executionSize(safeTx, state) > MAX_TRANSACTION_BYTES && (
        <Notice tone="warning">{text('execute.oversized')}</Notice>
      )}
    </>
  )
}
