import type { Address, Hex } from 'viem'

/** What is known about the Ethereum transaction that was sent to execute a Safe transaction. */
export type Observation = {
  /** The node's receipt, or null while there is none. */
  receipt: { status: 'success' | 'reverted'; logs: readonly Log[] } | null
  /** The transaction as the node knows it (mined or in its pool), or null when it does not know it. */
  transaction: { accountNonce: number } | null
  /** How many transactions of the executor are mined; null when not read. */
  minedAccountNonce: number | null
  now: number
}

export type Log = { address: string; topics: readonly string[]; data: string }

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

const EXECUTION_SUCCESS = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const EXECUTION_FAILURE = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'

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

/**
 * Finds the Safe's own event for this safeTxHash. In old versions the hash stands in the event's data, later in a topic.
 */
export function executionOutcome(
  logs: readonly Log[],
  { safeAddress, safeTxHash }: { safeAddress: Address; safeTxHash: Hex },
): 'success' | 'failure' | null {
  const wanted = safeTxHash.toLowerCase()
  for (const log of logs) {
    if (log.address.toLowerCase() !== safeAddress.toLowerCase()) continue
    const hash = (log.topics[1] ?? log.data.slice(0, 66)).toLowerCase()
    if (hash !== wanted) continue
    if (log.topics[0] === EXECUTION_SUCCESS) return 'success'
    if (log.topics[0] === EXECUTION_FAILURE) return 'failure'
  }
  return null
}

/** The steps before the wallet has answered. */
export const sendingSteps = ['checking', 'simulating', 'estimating', 'wallet', 'recording'] as const
export type SendingStep = (typeof sendingSteps)[number]
