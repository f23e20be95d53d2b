import type { Address as AddressType, Hex } from 'viem'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { OfferedButton } from './offered-button.tsx'
import type { Offer } from './signing-permission.ts'
import { text } from './text.ts'
import { useConfirmTransaction } from './use-confirm-transaction.ts'

/** The reader's own confirmation. */
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
  if (offer.kind === 'none') return null
  const isDone = offer.kind === 'refused' && offer.isDone === true
  return (
    <Section title={text('confirm.title')}>
      <div className="grid gap-4" data-confirm={isDone ? 'done' : offer.kind}>
        {confirm.error && !confirm.isPending && <Problem error={confirm.error} />}
        {isDone ? (
          <Notice tone="good" isAnnounced>
            {offer.reason}
          </Notice>
        ) : (
          <OfferedButton
            offer={offer}
            explanation={text('confirm.explanation', { account: account ?? '' })}
            label={text('confirm.button')}
            busy={confirm.isPending ? text(`confirm.busy.${confirm.step}`) : undefined}
            onAct={shownSafeTxHash && (() => confirm.mutate(shownSafeTxHash))}
          />
        )}
      </div>
    </Section>
  )
}
