import type { SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Shown } from '../../review/sign/check-again.ts'
import type { Offer } from '../../review/sign/offer.ts'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import { Button } from '../../ui/button.tsx'
import { CardFold } from '../../ui/card.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { text } from './text.ts'
import { useApproveHash } from './use-approve-hash.ts'

/**
 * Confirming by a transaction of the owner's own account, after the same review: for wallets that cannot sign, and for
 * owners who want the Safe itself to keep their word.
 */
export function ApproveOnChain({
  shown,
  offer,
  account,
  state,
  ...place
}: {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  shown: Shown
  /** The offer to confirm: open only where that is. */
  offer: Offer
  account: Address | null
  state: SafeState | undefined
}) {
  const approve = useApproveHash(place)
  const { sent, progress } = approve
  const isOver = isLost(progress)
  // A Safe that is not on the chain yet keeps nobody's word: the call would do nothing.
  if (state?.creation) return null
  return (
    <CardFold title={text('approveHash.title')}>
      <div className="grid gap-3" data-approve-hash={sent ? progress : 'none'}>
        <p className="text-small text-ink-soft">{text('approveHash.explanation', { account: account ?? '' })}</p>
        {approve.error && !approve.isPending && <Problem error={approve.error} />}
        {sent && <SentApproval chainId={place.chainId} transactionHash={sent.transactionHash} {...approve} />}
        {(!sent || isOver) && (
          <div>
            <Button
              disabled={offer.kind !== 'offered'}
              busy={approve.isPending ? text(`execute.step.${approve.step}`) : undefined}
              onClick={() => approve.mutate(shown)}
            >
              {text('approveHash.button')}
            </Button>
          </div>
        )}
      </div>
    </CardFold>
  )
}

type Progress = ReturnType<typeof useApproveHash>['progress']

/** Whether the approval that was sent will not count any more. */
function isLost(progress: Progress): boolean {
  return progress === 'reverted' || progress === 'dropped' || progress === 'replaced'
}

/** Shows where a sent approval stands. */
function SentApproval({
  chainId,
  transactionHash,
  progress,
  progressError,
}: {
  chainId: number
  transactionHash: Hex
  progress: Progress
  progressError: Error | null
}) {
  return (
    <div className="grid gap-1">
      {isLost(progress) ? (
        <Notice tone="warning" isAnnounced>
          {text(progress === 'reverted' ? 'approveHash.reverted' : 'approveHash.lost')}
        </Notice>
      ) : (
        <Loading label={text(progress === 'approved' ? 'approveHash.approved' : 'approveHash.waiting')} />
      )}
      {progressError && <p className="text-small text-warning">{text('execute.unreadable')}</p>}
      <TransactionHash chainId={chainId} transactionHash={transactionHash} />
    </div>
  )
}
