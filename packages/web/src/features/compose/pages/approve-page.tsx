import { newApproval } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { isBeingAsked, nextNonceOver, useOtherService } from '../../../safe/other-service.ts'
import { proposalsOf } from '../../../safe/proposals.ts'
import { NewReview } from '../new-review.tsx'
import { othersOf } from '../others-of.ts'
import { text } from '../text.ts'
import { newRequest, ProposeFrame, useProposalContext } from './propose-frame.tsx'
import { useOpenProposed } from './use-open-proposed.ts'

/** Proposes that the Safe approves a hash as an owner of another Safe. */
export function ApprovePage({
  chainId,
  safeAddress,
  approval,
}: {
  chainId: number
  safeAddress: Address
  approval: { parent: Address; hash: Hex }
}) {
  const context = useProposalContext(chainId, safeAddress)
  const { account, transactions, isOwner, state, queue } = context
  const service = useOtherService(state.data)
  const openProposed = useOpenProposed(context)
  const isWaiting = isBeingAsked(service)
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  const safeTx =
    state.data && isWhole && !isWaiting
      ? newApproval(approval, nextNonceOver(proposalsOf(transactions), service, state.data.nonce))
      : null
  return (
    <ProposeFrame
      title={text('propose.title.approve')}
      isReview={safeTx !== null}
      isWaiting={isWaiting}
      context={context}
    >
      {() =>
        safeTx && (
          <>
            <p className="mb-8 max-w-2xl">{text('propose.approve.what')}</p>
            <NewReview
              request={{ ...newRequest(context, safeTx, null), account, others: othersOf(transactions) }}
              isOwner={isOwner}
              onProposed={({ hash }) => openProposed(hash)}
            />
          </>
        )
      }
    </ProposeFrame>
  )
}
