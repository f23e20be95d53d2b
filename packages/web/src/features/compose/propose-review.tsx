import { useNavigate } from '@tanstack/react-router'
import { DecisionBar } from '../../review/decision-bar.tsx'
import { isSame } from '../../review/names.ts'
import type { ReviewRequest } from '../../review/review-facts.ts'
import { accountRefusal, type Offer } from '../../review/signing-permission.ts'
import { text } from '../../review/text.ts'
import { useReview } from '../../review/use-review.ts'
import { ReviewView } from '../../review/view/review-view.tsx'
import { YourConfirmation } from '../../review/your-confirmation.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { useProposeTransaction } from './use-propose-transaction.ts'

/** The proposer passes the same review as every other owner, before signing. */
export function ProposeReview({ request, onProposed }: { request: ReviewRequest; onProposed: () => void }) {
  const { chainId, safeAddress, account } = request
  const view = useReview(request, chainId, safeAddress)
  const accountState = useAccountState()
  const navigate = useNavigate()
  const propose = useProposeTransaction(chainId, safeAddress)
  const { review, state } = view
  const isOwner = account !== null && state?.owners.some((owner) => isSame(owner, account))
  if (view.error) return <Problem error={view.error} onRetry={view.retry} />
  if (!review)
    return <Loading label={text(view.isReadingChain ? 'transaction.state.loading' : 'transaction.reviewing')} />

  const refusal =
    review.verdict !== 'matches'
      ? text('confirm.refused.cannot-verify')
      : (accountRefusal(accountState) ?? (view.isOutdated ? text('confirm.refused.waiting') : null))
  const offer: Offer =
    review.verdict === 'do-not-sign'
      ? { kind: 'none' }
      : refusal === null
        ? { kind: 'offered' }
        : { kind: 'refused', reason: refusal }
  const sign = () =>
    propose.mutate(
      { request, shownSafeTxHash: review.hashes.safeTxHash },
      {
        onSuccess: ({ safeTxHash }) => {
          onProposed()
          void navigate({
            to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
            params: { chainId, safeAddress, safeTxHash },
          })
        },
      },
    )
  return (
    <>
      {view.stateError && <Problem error={view.stateError} onRetry={view.retry} />}
      <ReviewView
        review={review}
        request={request}
        state={state}
        facts={view.facts}
        account={account}
        end={<DecisionBar review={review} threshold={null} isOutdated={view.isOutdated} confirm={offer} />}
      />
      {offer.kind === 'none' ? (
        <div className="mb-9 sm:mb-12">
          <Notice tone="danger" title={text('verdict.do-not-sign')}>
            {text('confirm.refused.do-not-sign')}
          </Notice>
        </div>
      ) : (
        <YourConfirmation
          title={text(isOwner ? 'confirm.title' : 'propose.sign.title')}
          offer={offer}
          explanation={text(isOwner ? 'propose.sign.explanation' : 'propose.sign.proposer', { account: account ?? '' })}
          label={text('propose.sign')}
          confirm={propose}
          onAct={sign}
        />
      )}
    </>
  )
}
