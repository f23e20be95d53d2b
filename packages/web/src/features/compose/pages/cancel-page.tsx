import { newCancellation } from '@countersign/safe'
import type { Address } from 'viem'
import { Notice } from '../../../ui/notice.tsx'
import { NewReview } from '../new-review.tsx'
import { othersOf } from '../others-of.ts'
import { text } from '../text.ts'
import { newRequest, ProposeFrame, useProposalContext } from './propose-frame.tsx'
import { useOpenProposed } from './use-open-proposed.ts'

/** Proposes a transaction that does nothing. Once executed, it ends the other proposals at its nonce. */
export function CancelPage({ chainId, safeAddress, nonce }: { chainId: number; safeAddress: Address; nonce: bigint }) {
  const context = useProposalContext(chainId, safeAddress)
  const { account, transactions, isOwner } = context
  const request = newRequest(context, newCancellation(safeAddress, nonce), null)
  const openProposed = useOpenProposed(context)
  return (
    <ProposeFrame title={text('propose.title.cancel', { nonce })} isReview context={context}>
      {() => (
        <>
          <div className="mb-8">
            <Notice>{text('propose.cancel.what')}</Notice>
          </div>
          <NewReview
            request={{ ...request, account, others: othersOf(transactions) }}
            isOwner={isOwner}
            onProposed={({ hash }) => openProposed(hash)}
          />
        </>
      )}
    </ProposeFrame>
  )
}
