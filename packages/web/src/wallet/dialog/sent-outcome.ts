import { executionOutcome, type Observation, pendingStateOf } from '../../api/sent-transaction.ts'
import type { SentTransaction } from '../session/sent-transactions.ts'

/**
 * Gives the outcome of a sent transaction by the node. An execution whose inner call failed is a failure, though it
 * was mined.
 */
export function outcomeOf(sent: SentTransaction, seen: Observation): Pick<SentTransaction, 'accountNonce' | 'outcome'> {
  const accountNonce = seen.transaction?.accountNonce ?? sent.accountNonce
  if (!seen.receipt)
    return {
      accountNonce,
      outcome: pendingStateOf({ ...sent, accountNonce }, seen) === 'waiting' ? 'pending' : 'dropped',
    }
  const isFailed =
    seen.receipt.status === 'reverted' ||
    (sent.subject !== undefined && executionOutcome(seen.receipt.logs, sent.subject) === 'failure')
  return { accountNonce, outcome: isFailed ? 'failed' : 'confirmed' }
}
