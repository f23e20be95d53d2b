import type { Hex } from 'viem'
import { ProposeReview } from '../../review/sign/propose-review.tsx'
import type { TransactionRequest } from '../../review/subject.ts'
import { ReviewView } from '../../review/view/review-view.tsx'
import { useNamesOf } from '../../safe/names/primary-names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import type { Place } from '../../safe/queries.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { text } from './text.ts'

/** The review of a transaction that is new, and signing it. */
export function NewReview({
  request,
  isOwner,
  onProposed,
  onSend,
  checkFirst,
}: {
  request: TransactionRequest
  isOwner: boolean
  onProposed: (place: Place) => void
  onSend?: (hash: Hex) => void
  /** Checks, right before it is signed, what the request was made of; it throws when that is no longer so. */
  checkFirst?: () => Promise<void>
}) {
  const { account } = request
  const { chainId, safeAddress, safeTx } = request.subject
  const names = useNamesOf(safeTx, useNames(chainId, safeAddress), chainId)
  return (
    <ProposeReview
      request={request}
      title={(review) => transactionTitle(safeTx, names, review.kind === 'transaction' ? review : {})}
      isOwner={isOwner}
      {...(onSend ? { onSend } : {})}
      checkFirst={checkFirst}
      explanation={text(isOwner ? 'propose.sign.explanation' : 'propose.sign.proposer', { account: account ?? '' })}
      onProposed={onProposed}
    >
      {({ review, state, facts }, parts) =>
        review.kind === 'transaction' && (
          <ReviewView review={review} request={request} state={state} facts={facts} account={account} {...parts} />
        )
      }
    </ProposeReview>
  )
}
