import type { Address, Hex } from 'viem'
import type { ButtonOffer } from '../../../review/sign/offer.ts'
import { OfferedButton } from '../../../review/sign/offered-button.tsx'
import { text } from '../text.ts'
import { FeesFold, type useChosenFees } from './chosen-fees.tsx'
import { ExecutionFee } from './execution-fee.tsx'

/** The button that executes, what the execution will cost, and the fields of its fees. */
export function ExecutionForm({
  chainId,
  account,
  effect,
  offer,
  gas,
  call,
  fees: { typed, change, fees, areValid },
  label,
  busy,
  onExecute,
}: {
  chainId: number
  account: Address | null
  effect: string
  offer: ButtonOffer
  gas: bigint | null
  call: { to: Address; data: Hex } | null
  fees: ReturnType<typeof useChosenFees>
  label: string
  busy: string | undefined
  /** Null until there is a review that the person has seen. */
  onExecute: (() => void) | null
}) {
  return (
    <>
      <OfferedButton
        effect={effect}
        offer={offer}
        explanation={areValid ? text('execute.explanation', { account: account ?? '' }) : text('execute.fees.mend')}
        label={label}
        busy={busy}
        onAct={areValid ? onExecute : null}
      />
      {/* Below the button, which must not move when the price arrives. */}
      {account !== null && gas !== null && (
        <ExecutionFee chainId={chainId} account={account} gas={gas} calls={call ? [call] : []} chosen={fees} />
      )}
      <FeesFold typed={typed} onChange={change} />
    </>
  )
}
