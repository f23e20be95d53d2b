import { decodeSafeEvent, type EventLog, isRecord, isSameAddress } from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { serverNow } from '../device/server-time.ts'
import type { RpcRequest } from './chain-client.ts'

/** Knowledge about the Ethereum transaction that was sent to execute a Safe transaction. */
export type Observation = {
  /** The node's receipt, or null while there is none. */
  receipt: { status: 'success' | 'reverted'; logs: readonly EventLog[] } | null
  /**
   * The transaction as the node knows it (mined or in its pool), or null when it does not know it. `executes`: the contract
   * whose `execTransaction` it calls itself.
   */
  transaction: { accountNonce: number; executes: Address | null } | null
  /** How many transactions of the executor are mined; null when not read. */
  minedAccountNonce: number | null
  now: number
}

/** A node that shares its pool sees a transaction within seconds; after this the person may send another one. */
export const DROPPED_AFTER_MS = 90_000

/**
 * Where a transaction without a receipt is: on its way, replaced by another of the same account nonce, or unknown to
 * the node for too long.
 */
export function pendingStateOf(
  sent: { submissionDate: string; accountNonce: number | null },
  seen: Omit<Observation, 'receipt'>,
): 'waiting' | 'replaced' | 'dropped' {
  if (seen.transaction) return 'waiting'
  if (sent.accountNonce !== null && seen.minedAccountNonce !== null && seen.minedAccountNonce > sent.accountNonce)
    return 'replaced'
  return seen.now - Date.parse(sent.submissionDate) > DROPPED_AFTER_MS ? 'dropped' : 'waiting'
}

/** Finds the Safe's own event for this safeTxHash. Safes before 1.1.1 have none for a success. */
export function executionOutcome(
  logs: readonly EventLog[],
  { safeAddress, safeTxHash }: { safeAddress: Address; safeTxHash: Hex },
): 'success' | 'failure' | null {
  for (const log of logs) {
    const event = decodeSafeEvent(log)
    if (event === null || !isSameAddress(event.address, safeAddress) || !('safeTxHash' in event)) continue
    if (event.safeTxHash.toLowerCase() !== safeTxHash.toLowerCase()) continue
    return event.name === 'ExecutionSuccess' ? 'success' : 'failure'
  }
  return null
}

/** `execTransaction` with its ten arguments, the same in all releases since 1.0.0. */
const EXECUTION = '0x6a761202'

/**
 * Whether a Safe that has no event of a success carried it out: its own `execTransaction` was called, did not revert, and no event
 * tells of a failure or of another hash. Later Safes always have one.
 */
export function isExecutedInSilence({ receipt, transaction }: Observation, safeAddress: Address): boolean {
  if (receipt?.status !== 'success' || transaction?.executes?.toLowerCase() !== safeAddress.toLowerCase()) return false
  return receipt.logs.every((log) => {
    const event = decodeSafeEvent(log)
    return event === null || !isSameAddress(event.address, safeAddress) || !('safeTxHash' in event)
  })
}

/** Reads the present state of a sent transaction from the node. */
export async function readObservation(
  request: RpcRequest,
  { transactionHash, executor }: { transactionHash: Hex; executor: Address },
): Promise<Observation> {
  const [receipt, transaction, count] = await Promise.all([
    request({ method: 'eth_getTransactionReceipt', params: [transactionHash] }),
    request({ method: 'eth_getTransactionByHash', params: [transactionHash] }),
    request({ method: 'eth_getTransactionCount', params: [executor, 'latest'] }),
  ])
  return {
    receipt: parseReceipt(receipt),
    transaction: parseTransaction(transaction),
    minedAccountNonce: isHex(count) ? Number(count) : null,
    now: serverNow(),
  }
}

function parseTransaction(transaction: unknown): Observation['transaction'] {
  if (!isRecord(transaction) || !isHex(transaction.nonce)) return null
  const { nonce, to, input } = transaction
  const isExecution = typeof to === 'string' && isAddress(to) && isHex(input) && input.startsWith(EXECUTION)
  return { accountNonce: Number(nonce), executes: isExecution ? getAddress(to) : null }
}

function parseReceipt(receipt: unknown): Observation['receipt'] {
  if (!isRecord(receipt)) return null
  const logs = Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord) : []
  return {
    status: receipt.status === '0x1' ? 'success' : 'reverted',
    logs: logs.flatMap(({ address, topics, data }) =>
      typeof address === 'string' && isAddress(address) && Array.isArray(topics) && isHex(data)
        ? [{ address: getAddress(address), topics: topics.filter((topic) => isHex(topic)), data }]
        : [],
    ),
  }
}
