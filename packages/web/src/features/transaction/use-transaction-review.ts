import type { getTransaction, Reply } from '@countersign/contract'
import type { Address, Hex } from 'viem'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import { offerConfirm, offerExecute, offerImport } from '../../review/sign/offer.ts'
import { transactionRequest } from '../../review/subject.ts'
import { useReview } from '../../review/use-review.ts'
import { namesOf } from '../../safe/names/names.ts'
import { useNamesOf } from '../../safe/names/primary-names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import { useRole } from '../../safe/safe.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { useAccountState, useSession } from '../../wallet/index.ts'

export type Place = { chainId: number; safeAddress: Address; safeTxHash: Hex }
export type Served = Reply<typeof getTransaction>

/** Reviews a served transaction, and returns what the page offers after the reader's answers. */
export function useTransactionReview(
  { chainId, safeAddress, safeTxHash }: Place,
  served: Served,
  isUnreachable: boolean,
) {
  const { transaction } = served
  const accountState = useAccountState()
  const account = useSession().session?.address ?? null
  const chain = useListedChain(chainId)
  const request = transactionRequest(served, safeTxHash, account)
  const view = useReview(request, chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  const acknowledging = useAcknowledgements(view.review, account)
  const known = namesOf(safeAddress, view.state, account, chain, useTeamNames(chainId, safeAddress))
  const names = useNamesOf(transaction.safeTx, known, chainId)
  const { state } = view
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const isOutdated = view.isOutdated || isUnreachable
  const acknowledgements = acknowledging.given
  const facts = { role, review, isOutdated, state, transaction, accountState, acknowledgements }
  return {
    account,
    names,
    request,
    view,
    review,
    state,
    isOutdated,
    acknowledging,
    offers: { confirm: offerConfirm(facts), execute: offerExecute(facts), import: offerImport(facts) },
  }
}
