import type { MultisigTransaction, OtherProposal } from '@countersign/contract'
import { isCancellation } from '@countersign/safe'

/** Returns the listed transactions in the form in which another review compares itself with them. */
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
