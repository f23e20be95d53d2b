import type { MultisigTransaction, OtherProposal } from '@countersign/contract'
import { isCancellation } from '@countersign/safe'

/** Transactions of a list as what concerns another one. */
export function othersOf(transactions: readonly MultisigTransaction[]): OtherProposal[] {
  return transactions.flatMap(({ safeAddress, safeTx, safeTxHash, isExecuted, confirmations }) =>
    safeTx === null || isExecuted
      ? []
      : [
          {
            safeTxHash,
            nonce: safeTx.nonce,
            isCancellation: isCancellation(safeTx, safeAddress),
            confirmations,
            formerConfirmations: [],
          },
        ],
  )
}
