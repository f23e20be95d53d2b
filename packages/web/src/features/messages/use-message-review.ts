import type { getMessage, Reply } from '@countersign/contract'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import { offerConfirm, offerImport } from '../../review/sign/offer.ts'
import type { MessageRequest } from '../../review/subject.ts'
import { useReview } from '../../review/use-review.ts'
import { namesOf } from '../../safe/names/names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import type { Place } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { useAccountState } from '../../wallet/index.ts'

export type SafeMessage = Reply<typeof getMessage>

export type ReadableMessageProps = {
  place: Place
  message: SafeMessage
  isUnreachable: boolean
  request: MessageRequest
  account: Address | null
}

/** Reviews a served message, and returns what the page offers after the reader's answers. */
export function useMessageReview({
  place: { chainId, safeAddress },
  isUnreachable,
  request,
  account,
}: ReadableMessageProps) {
  const accountState = useAccountState()
  const view = useReview(request, chainId, safeAddress)
  const { state } = view
  const review = view.review?.kind === 'message' ? view.review : undefined
  const names = namesOf(safeAddress, state, account, useChain(chainId), useTeamNames(chainId, safeAddress))
  const isOutdated = view.isOutdated || isUnreachable
  const acknowledging = useAcknowledgements(review, account)
  const role = useRole(chainId, safeAddress)
  const facts = { review, state, isOutdated, accountState, acknowledgements: acknowledging.given, role }
  return {
    view,
    state,
    review,
    names,
    isOutdated,
    acknowledging,
    role,
    offers: { confirm: offerConfirm(facts), import: offerImport(facts) },
  }
}
