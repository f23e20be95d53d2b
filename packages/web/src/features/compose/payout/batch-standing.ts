import type { MultisigTransaction } from '@countersign/contract'
import { isSameAddress, type SafeTx } from '@countersign/safe'
import type { Hex } from 'viem'
import type { KeptBatch } from './saved-payout.ts'

/**
 * How a transaction of a payout stands. `open` was never sent; `lost` was, and nobody has it: it is signed again at its own
 * nonce, so that only one of the two can ever be executed; `replaced`: that nonce is used up by something else, as the
 * server says.
 */
export type BatchStanding =
  | { kind: 'asking' | 'open' | 'replaced' }
  | { kind: 'lost'; nonce: bigint }
  | { kind: 'proposed' | 'executed' | 'failed'; hash: Hex }

type Served = Pick<MultisigTransaction, 'safeTxHash' | 'isExecuted' | 'isSuccessful'>

/**
 * @param served what the server has under a hash: null for nothing, undefined while it is asked
 * @param safeNonce as the chain says
 */
export function batchStanding(
  { sent }: Pick<KeptBatch, 'sent'>,
  served: (hash: Hex) => Served | null | undefined,
  safeNonce: bigint,
): BatchStanding {
  const known = sent.map((one) => ({ ...one, served: served(one.hash) }))
  const executed = known.find((one) => one.served?.isExecuted)
  if (executed) return { kind: executed.served?.isSuccessful === false ? 'failed' : 'executed', hash: executed.hash }
  const waiting = known.find((one) => one.served && one.nonce >= safeNonce)
  if (waiting) return { kind: 'proposed', hash: waiting.hash }
  if (known.some((one) => one.served === undefined)) return { kind: 'asking' }
  const last = known.at(-1)
  if (last === undefined) return { kind: 'open' }
  return last.nonce >= safeNonce ? { kind: 'lost', nonce: last.nonce } : { kind: 'replaced' }
}

/** The proposal of a queue that does exactly this, whatever its nonce: sent from another tab, or by somebody else. */
export function sameInQueue(
  { to, value, data, operation }: Pick<SafeTx, 'to' | 'value' | 'data' | 'operation'>,
  queue: readonly Pick<MultisigTransaction, 'safeTx' | 'safeTxHash' | 'isExecuted'>[],
): { hash: Hex; nonce: bigint } | null {
  const found = queue.find(
    ({ safeTx, isExecuted }) =>
      !isExecuted &&
      safeTx !== null &&
      safeTx.data.toLowerCase() === data.toLowerCase() &&
      isSameAddress(safeTx.to, to) &&
      safeTx.value === value &&
      safeTx.operation === operation,
  )
  return found?.safeTx ? { hash: found.safeTxHash, nonce: found.safeTx.nonce } : null
}
