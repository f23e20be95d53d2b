import type { Effects, SignedReview } from '@countersign/review'
import { type ReactNode, useState } from 'react'
import type { Hex } from 'viem'
import { useNames } from '../../safe/names/use-names.ts'
import type { Place } from '../../safe/queries.ts'
import { text } from '../../safe/text.ts'
import { CardPart } from '../../ui/card.tsx'
import { Loading } from '../../ui/loading.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { Acknowledge } from '../acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../acknowledge/use-acknowledgements.ts'
import { AttachEffects } from '../effects/attach-effects.tsx'
import type { ReviewRequest } from '../subject.ts'
import { type ReviewView, useReview } from '../use-review.ts'
import { DecisionBar } from './decision-bar.tsx'
import { isRefused, offerPropose } from './offer.ts'
import { UnreadHistory } from './unread-history.tsx'
import { usePropose } from './use-propose.ts'
import { YourConfirmation } from './your-confirmation.tsx'

/** Parts of the review's page that every kind has: what is above the story, what leads to the card, what stands in it. */
export type ProposeParts = { head: ReactNode; bar: ReactNode; decision: ReactNode }

/** The proposer passes the same review as every other owner, before signing. */
export function ProposeReview({
  request,
  title: titleOf,
  onProposed,
  onSend,
  checkFirst,
  explanation,
  isOwner = true,
  children,
}: {
  request: ReviewRequest
  /** Writes the effect in one sentence, with what the review found. */
  title: (review: SignedReview) => string
  onProposed: (place: Place) => void
  /** Called right before it is sent: whether it arrived may stay unknown. */
  onSend?: (hash: Hex) => void
  /** Checks, right before it is signed, what the request was made of; it throws when that is no longer so. */
  checkFirst?: (() => Promise<void>) | undefined
  explanation: string
  /** Somebody else's signature confirms nothing. */
  isOwner?: boolean
  /** The review as its kind is shown. */
  children: (view: ReviewView & { review: NonNullable<ReviewView['review']> }, parts: ProposeParts) => ReactNode
}) {
  const { chainId, safeAddress } = request.subject
  const view = useReview(request, chainId, safeAddress)
  const accountState = useAccountState()
  const propose = usePropose(chainId, safeAddress)
  const { review } = view
  const account = 'session' in accountState ? accountState.session.address : null
  const acknowledging = useAcknowledgements(review, account)
  const names = useNames(chainId, safeAddress)
  const [effects, setEffects] = useState<Effects | null>(null)
  if (view.error) return <QueryProblem error={view.error} onRetry={view.retry} />
  if (!review)
    return <Loading label={text(view.isReadingSafe ? 'transaction.state.loading' : 'transaction.reviewing')} />
  const title = titleOf(review)
  const acknowledgements = acknowledging.given
  const offer = offerPropose({ review, isOutdated: view.isOutdated, accountState, acknowledgements })
  return children(
    { ...view, review },
    {
      head: (
        <>
          {view.stateError && <QueryProblem error={view.stateError} isStale onRetry={view.retry} />}
          <UnreadHistory view={view} />
          <h2 className="border-b border-rule pb-3 text-title font-semibold tracking-tight wrap-anywhere">{title}</h2>
        </>
      ),
      bar: <DecisionBar title={title} review={review} threshold={null} isOutdated={view.isOutdated} confirm={offer} />,
      decision: isRefused(review) ? (
        <CardPart title={text(isOwner ? 'confirm.title' : 'propose.sign.title')}>
          <p className="font-semibold">{text('propose.refused')}</p>
        </CardPart>
      ) : (
        <YourConfirmation
          title={text(isOwner ? 'confirm.title' : 'propose.sign.title')}
          effect={title}
          offer={offer}
          explanation={explanation}
          label={text('propose.sign')}
          acknowledge={
            <>
              <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={view.retry} />
              {isOwner && review.kind === 'transaction' && !('json' in request) && (
                <AttachEffects
                  review={review}
                  request={request}
                  effects={effects}
                  names={names}
                  onChange={setEffects}
                />
              )}
            </>
          }
          confirm={propose}
          onAct={() => {
            onSend?.(review.hash)
            propose.mutate(
              { request, shown: { hash: review.hash, acknowledgements }, effects, checkFirst },
              { onSuccess: onProposed },
            )
          }}
        />
      ),
    },
  )
}
