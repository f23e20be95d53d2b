import type { MultisigTransaction } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useAcknowledgements } from '../../../review/acknowledge/use-acknowledgements.ts'
import { type Offer, offerExecute } from '../../../review/sign/offer.ts'
import { transactionRequest } from '../../../review/subject.ts'
import { useReview } from '../../../review/use-review.ts'
import type { Proposal } from '../../../safe/proposals.ts'
import { transactionQuery } from '../../../safe/queries.ts'
import { useRole } from '../../../safe/safe.ts'
import { useAccountState } from '../../../wallet/index.ts'
import { mayExecuteAgain } from '../execution/execution-state.ts'
import { newestSent } from '../execution/follow-execution.ts'
import { planExecution } from '../execution/plan-execution.ts'
import { useFollowedExecution } from '../execution/use-execute-transaction.ts'
import type { RowReadiness } from './readiness.ts'
import { text } from './text.ts'

/** Reviews a proposal as if those before it in the queue were executed, and returns whether it can then be executed. */
export function useExecutableReview(proposal: Proposal, account: Address | null) {
  const { chainId, safeAddress, safeTxHash, nonce } = proposal
  const served = useQuery(transactionQuery(chainId, safeTxHash))
  const request = served.data ? transactionRequest(served.data, safeTxHash, account) : null
  const view = useReview(request, chainId, safeAddress)
  const acknowledging = useAcknowledgements(view.review, account)
  const accountState = useAccountState()
  const role = useRole(chainId, safeAddress)
  const transaction: MultisigTransaction = served.data?.transaction ?? proposal
  const sent = newestSent(null, transaction.pendingExecution)
  const followed = useFollowedExecution({ chainId, safeAddress, safeTxHash }, sent)
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const acknowledgements = acknowledging.given
  const state = view.state && { ...view.state, nonce }
  const isOutdated = view.isOutdated || view.error !== null || served.error !== null
  const offer = offerExecute({ role, review, isOutdated, state, transaction, accountState, acknowledgements })
  const { safeTx } = transaction
  const isUnderWay = !mayExecuteAgain(followed?.progress ?? null)
  const reason = isUnderWay ? text('several.onItsWay') : review ? reasonOf(offer) : text('several.checking')
  const readiness: RowReadiness = {
    ready: review && reason === null ? { safeTxHash, nonce, shown: { hash: review.hash, acknowledgements } } : null,
    reason,
    ...planExecution(safeTx, { state, review, facts: view.facts }),
  }
  return { served, view, review, state, safeTx, acknowledging, readiness }
}

/** Why the transaction cannot be executed once its turn has come; null if it can. */
function reasonOf(offer: Offer): string | null {
  switch (offer.kind) {
    case 'offered':
      return null
    case 'acknowledge':
    case 'refused':
      return offer.reason
    case 'told':
      return offer.sentence
    default:
      return text('several.refused')
  }
}
