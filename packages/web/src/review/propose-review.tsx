import type { ReactNode } from 'react'
import { Loading } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { useAccountState } from '../wallet/index.ts'
import { Acknowledge } from './acknowledge/acknowledge.tsx'
import { useAcknowledgements } from './acknowledge/use-acknowledgements.ts'
import { DecisionBar } from './decision-bar.tsx'
import { isRefused, offerPropose } from './offer.ts'
import type { Place, ReviewRequest } from './subject.ts'
import { text } from './text.ts'
import { useNames } from './use-names.ts'
import { usePropose } from './use-propose.ts'
import { type ReviewView, useReview } from './use-review.ts'
import { YourConfirmation } from './your-confirmation.tsx'

/** The proposer passes the same review as every other owner, before signing. */
export function ProposeReview({
  request,
  onProposed,
  explanation,
  isOwner = true,
  children,
}: {
  request: ReviewRequest
  onProposed: (place: Place) => void
  explanation: string
  /** Somebody else's signature confirms nothing. */
  isOwner?: boolean
  /** The review as its kind is shown, above `end`. */
  children: (view: ReviewView & { review: NonNullable<ReviewView['review']> }, end: ReactNode) => ReactNode
}) {
  const { chainId, safeAddress } = request.subject
  const view = useReview(request, chainId, safeAddress)
  const accountState = useAccountState()
  const propose = usePropose(chainId, safeAddress)
  const { review } = view
  const account = 'session' in accountState ? accountState.session.address : null
  const acknowledging = useAcknowledgements(review, account)
  const names = useNames(chainId, safeAddress)
  if (view.error) return <Problem error={view.error} onRetry={view.retry} />
  if (!review)
    return <Loading label={text(view.isReadingChain ? 'transaction.state.loading' : 'transaction.reviewing')} />
  const offer = offerPropose({
    ...{ review, isOutdated: view.isOutdated, accountState, acknowledgements: acknowledging.given },
  })
  return (
    <>
      {view.stateError && <Problem error={view.stateError} onRetry={view.retry} />}
      {children(
        { ...view, review },
        <DecisionBar review={review} threshold={null} isOutdated={view.isOutdated} confirm={offer} />,
      )}
      {isRefused(review) ? (
        <div className="mb-9 sm:mb-12">
          <Notice tone="danger" title={text('verdict.do-not-sign')}>
            {text('confirm.refused.do-not-sign')}
          </Notice>
        </div>
      ) : (
        <YourConfirmation
          title={text(isOwner ? 'confirm.title' : 'propose.sign.title')}
          offer={offer}
          explanation={explanation}
          label={text('propose.sign')}
          acknowledge={<Acknowledge {...{ acknowledging, names, chainId }} onRetry={view.retry} />}
          confirm={propose}
          onAct={() => {
            const shown = { hash: review.hash, acknowledgements: acknowledging.given }
            propose.mutate({ request, shown }, { onSuccess: onProposed })
          }}
        />
      )}
    </>
  )
}
