import type { Role } from '@countersign/contract'
import type { CollectedMessageReview, SafeState } from '@countersign/safe-core'
import { isSame } from '../../review/names.ts'
import { accountRefusal, notForYou, type Offer } from '../../review/signing-permission.ts'
import type { AccountState } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Whether the page offers to confirm. A review that says `do-not-sign` offers nothing at all. */
export function offerConfirmMessage({
  review,
  state,
  isOutdated,
  accountState,
  role,
}: {
  review: CollectedMessageReview | undefined
  state: SafeState | undefined
  isOutdated: boolean
  accountState: AccountState
  role: Role | null
}): Offer {
  const refused = (reason: string): Offer => ({ kind: 'refused', reason })
  if (review?.verdict === 'do-not-sign') return { kind: 'none' }
  if (!review || isOutdated) return refused(text('confirm.refused.waiting'))
  const account = 'session' in accountState ? accountState.session.address : null
  const hasConfirmed = review.confirmations.some(
    ({ owner, status }) => status === 'valid' && account !== null && isSame(owner, account),
  )
  if (hasConfirmed) return { kind: 'told', sentence: text('message.confirm.done'), isDone: true }
  if (account !== null && state && !state.owners.some((owner) => isSame(owner, account)))
    return { kind: 'told', sentence: notForYou(account, role), isDone: false }
  if (accountState.status === 'verified' && accountState.isSafe) return refused(text('permission.IS_SAFE'))
  if (review.verdict !== 'matches' || !state) return refused(text('message.verdict.cannot-verify'))
  const refusal = accountRefusal(accountState)
  return refusal === null ? { kind: 'offered' } : refused(refusal)
}
