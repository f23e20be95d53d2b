/** What has become of a transaction, in the words of the Safe Client Gateway. */
export type TransactionStatus = 'AWAITING_CONFIRMATIONS' | 'AWAITING_EXECUTION' | 'CANCELLED' | 'FAILED' | 'SUCCESS'

/**
 * The status of a transaction. A transaction whose nonce another one has used is `CANCELLED`: it can never execute.
 *
 * @param facts - `confirmations` counts those of current owners; `safeNonce` is the Safe's nonce on the chain.
 */
export function transactionStatus(facts: {
  isExecuted: boolean
  isSuccessful: boolean | null
  nonce: bigint
  confirmations: number
  threshold: number
  safeNonce: bigint
}): TransactionStatus {
  if (facts.isExecuted) return facts.isSuccessful === false ? 'FAILED' : 'SUCCESS'
  if (facts.nonce < facts.safeNonce) return 'CANCELLED'
  return facts.confirmations >= facts.threshold ? 'AWAITING_EXECUTION' : 'AWAITING_CONFIRMATIONS'
}
