import type { Address, Hex } from 'viem'
import {
  executionOutcome,
  isExecutedInSilence,
  type Observation,
  pendingStateOf,
} from '../../../api/sent-transaction.ts'

/** A sent execution as this browser follows it. */
export type SentExecution = {
  transactionHash: Hex
  executor: Address
  submissionDate: string
  /** Account nonce once the node has shown it; afterwards it tells a replacement from a node that forgot. */
  accountNonce: number | null
  /** The one that it was sent in the place of, with a higher fee: either may be mined. */
  earlier?: Hex | undefined
}

export type ExecutionProgress =
  | { step: 'waiting' }
  | { step: 'executed' }
  /** Mined, the Safe consumed the nonce, but the inner call failed. */
  | { step: 'inner-failed' }
  /** Mined and reverted: nothing changed in the Safe. */
  | { step: 'reverted' }
  /** Another transaction used the account nonce. */
  | { step: 'replaced' }
  /** The node has not known it for long. */
  | { step: 'dropped' }

/** Says where a sent execution stands, from what the node shows now. */
export function observeExecution(
  sent: SentExecution,
  safe: { safeAddress: Address; safeTxHash: Hex },
  seen: Observation,
): ExecutionProgress {
  if (seen.receipt) {
    if (seen.receipt.status === 'reverted') return { step: 'reverted' }
    const outcome = executionOutcome(seen.receipt.logs, safe)
    if (outcome === 'success') return { step: 'executed' }
    if (outcome === 'failure') return { step: 'inner-failed' }
    if (outcome === null && isExecutedInSilence(seen, safe.safeAddress)) return { step: 'executed' }
    // Mined, but it executed something else: the recorded hash does not belong to this transaction.
    return { step: 'reverted' }
  }
  return { step: pendingStateOf(sent, seen) }
}

/** Whether one may send another execution: never while one may still be mined. */
export function mayExecuteAgain(progress: ExecutionProgress | null): boolean {
  return progress === null || ['reverted', 'replaced', 'dropped'].includes(progress.step)
}

/** The steps before the wallet has answered. */
export const sendingSteps = ['checking', 'simulating', 'estimating', 'wallet', 'recording'] as const
export type SendingStep = (typeof sendingSteps)[number]
