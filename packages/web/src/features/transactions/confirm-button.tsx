import { useId } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import type { Offer } from './signing-permission.ts'
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
  const reasonId = useId()
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
          <>
            <p id={reasonId} className={`wrap-anywhere ${offer.kind === 'refused' ? 'text-warning' : 'text-ink-soft'}`}>
              {offer.kind === 'refused' ? offer.reason : text('confirm.explanation', { account: account ?? '' })}
            </p>
            <div>
              <Button
                variant="primary"
                aria-describedby={reasonId}
                disabled={offer.kind === 'refused' || shownSafeTxHash === null}
                busy={confirm.isPending ? text(`confirm.busy.${confirm.step}`) : undefined}
                onClick={() => shownSafeTxHash && confirm.mutate(shownSafeTxHash)}
              >
                {text('confirm.button')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Section>
  )
}
