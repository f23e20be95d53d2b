import type { Address as AddressType, Hex } from 'viem'
import type { Offer } from '../../review/signing-permission.ts'
import { text } from '../../review/text.ts'
import { YourConfirmation } from '../../review/your-confirmation.tsx'
import { useConfirmTransaction } from './use-confirm-transaction.ts'

/** The reader's own confirmation of a transaction. */
export function ConfirmButton({
  chainId,
  safeAddress,
  safeTxHash,
  shownSafeTxHash,
  offer,
  account,
}: {
  chainId: number
  safeAddress: AddressType
  safeTxHash: Hex
  shownSafeTxHash: Hex | null
  offer: Offer
  account: AddressType | null
}) {
  const confirm = useConfirmTransaction({ chainId, safeAddress, safeTxHash })
  return (
    <YourConfirmation
      offer={offer}
      explanation={text('confirm.explanation', { account: account ?? '' })}
      confirm={confirm}
      onAct={shownSafeTxHash && (() => confirm.mutate(shownSafeTxHash))}
    />
  )
}
