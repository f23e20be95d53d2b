import { decodeSafeEvent, type EventLog } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { isSame } from './names.ts'

/** What is known about the Ethereum transaction that was sent to execute a Safe transaction. */
export type Observation = {
  /** The node's receipt, or null while there is none. */
  receipt: { status: 'success' | 'reverted'; logs: readonly EventLog[] } | null
  /** The transaction as the node knows it (mined or in its pool), or null when it does not know it. */
  transaction: { accountNonce: number } | null
  /** How many transactions of the executor are mined; null when not read. */
  minedAccountNonce: number | null
  now: number
}

/** A sent execution as this browser follows it. */
export type SentExecution = {
  transactionHash: Hex
  executor: Address
  submissionDate: string
  /** Account nonce once the node has shown it; afterwards it tells a replacement from a node that forgot. */
  accountNonce: number | null
}

export type ExecutionProgress =
  | { step: 'waiting' }
  | { step: 'executed' }
  /** Mined, the Safe consumed the nonce, but the inner call failed. */
  | { step: 'inner-failed' }
  /** Mined and reverted: nothing changed in the Safe. */
  | { step: 'reverted' }
  /** The same account nonce was used by another transaction. */
  | { step: 'replaced' }
  /** The node has not known it for long. */
  | { step: 'dropped' }

/** A node that shares its pool sees a transaction within seconds; after this the person may send another one. */
export const DROPPED_AFTER_MS = 90_000

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
    // Mined, but it executed something else: the recorded hash does not belong to this transaction.
    return { step: 'reverted' }
  }
  if (seen.transaction) return { step: 'waiting' }
  if (sent.accountNonce !== null && seen.minedAccountNonce !== null && seen.minedAccountNonce > sent.accountNonce)
    return { step: 'replaced' }
  return seen.now - Date.parse(sent.submissionDate) > DROPPED_AFTER_MS ? { step: 'dropped' } : { step: 'waiting' }
}

/** Whether one may send another execution: never while one may still be mined. */
export function mayExecuteAgain(progress: ExecutionProgress | null): boolean {
  return progress === null || ['reverted', 'replaced', 'dropped'].includes(progress.step)
}

/** Finds the Safe's own event for this safeTxHash. Safes before 1.1.1 have none for a success. */
export function executionOutcome(
  logs: readonly EventLog[],
  { safeAddress, safeTxHash }: { safeAddress: Address; safeTxHash: Hex },
): 'success' | 'failure' | null {
  for (const log of logs) {
    const event = decodeSafeEvent(log)
    if (event === null || !isSame(event.address, safeAddress) || !('safeTxHash' in event)) continue
    if (event.safeTxHash.toLowerCase() !== safeTxHash.toLowerCase()) continue
    return event.name === 'ExecutionSuccess' ? 'success' : 'failure'
  }
  return null
}

/** The steps before the wallet has answered. */
export const sendingSteps = ['checking', 'simulating', 'estimating', 'wallet', 'recording'] as const
export type SendingStep = (typeof sendingSteps)[number]
