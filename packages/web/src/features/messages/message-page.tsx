import type { getMessage, Reply } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import { DecisionBar } from '../../review/sign/decision-bar.tsx'
import { ImportConfirmations } from '../../review/sign/import-confirmations.tsx'
import { hasButton, isRefused, offerConfirm, offerImport } from '../../review/sign/offer.ts'
import { useConfirm } from '../../review/sign/use-confirm.ts'
import { YourConfirmation } from '../../review/sign/your-confirmation.tsx'
import { type MessageRequest, messageRequest } from '../../review/subject.ts'
import { type ReviewView, useReview } from '../../review/use-review.ts'
import { ReviewHead } from '../../review/view/review-head.tsx'
import { ReviewWaiting, ServedReview } from '../../review/view/review-waiting.tsx'
import { isSame, namesOf } from '../../safe/names/names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import type { Place as SubjectPlace } from '../../safe/queries.ts'
import { messageQuery } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { messageTitle } from '../../safe/title/message-title.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, QueryProblem } from '../../ui/problem.tsx'
import { useAccountState, useSession } from '../../wallet/index.ts'
import { CollectedSignature } from './collected-signature.tsx'
import { DeleteMessage } from './delete-message.tsx'
import { MessageReviewView } from './message-review-view.tsx'
import { parseSignInContent } from './sign-in-link.ts'
import { SignedSignIn } from './sign-in-notice.tsx'
import { text } from './text.ts'

const REFETCH_MS = 30_000

type Place = { chainId: number; safeAddress: AddressType; safeMessageHash: Hex }
type SafeMessage = Reply<typeof getMessage>

/** One message: the review, beside it what the reader may do about it and what was collected. */
export function MessagePage(place: Place) {
  const { chainId, safeMessageHash } = place
  const served = useQuery({ ...messageQuery(chainId, safeMessageHash), refetchInterval: REFETCH_MS })
  return (
    <div data-message-page={safeMessageHash}>
      <ServedReview
        of={served}
        kind="message"
        place={place}
        title={text('message.title')}
        label={text('message.loading')}
      >
        {(message, isUnreachable) => <CheckServedPlace place={place} message={message} isUnreachable={isUnreachable} />}
      </ServedReview>
    </div>
  )
}

/** A server that lies about the place could have shown other content here. */
function CheckServedPlace({
  place,
  message,
  isUnreachable,
}: {
  place: Place
  message: SafeMessage
  isUnreachable: boolean
}) {
  if (message.safeAddress !== place.safeAddress || message.chainId !== place.chainId)
    return (
      <Notice tone="danger" isAnnounced>
        {text('message.otherSafe')} <Address address={message.safeAddress} />
      </Notice>
    )
  if (message.safeMessageHash !== place.safeMessageHash)
    return (
      <Notice tone="danger" isAnnounced title={text('verdict.do-not-sign')}>
        {text('message.otherHash')} <Hash hash={message.safeMessageHash} />
      </Notice>
    )
  return <ReviewedMessage place={place} message={message} isUnreachable={isUnreachable} />
}

/** The request, or why the message cannot be read. */
function requestOf(message: SafeMessage, safeMessageHash: Hex, account: AddressType | null) {
  try {
    return { request: messageRequest(message, safeMessageHash, account), unreadable: null }
  } catch (error) {
    if (error instanceof CountersignError) return { request: null, unreadable: error }
    throw error
  }
}

function ReviewedMessage({
  place,
  message,
  isUnreachable,
}: {
  place: Place
  message: SafeMessage
  isUnreachable: boolean
}) {
  const { chainId, safeAddress, safeMessageHash } = place
  const { session } = useSession()
  const account = session?.address ?? null
  const { request, unreadable } = useMemo(
    () => requestOf(message, safeMessageHash, account),
    [message, safeMessageHash, account],
  )
  const subjectPlace = { kind: 'message', chainId, safeAddress, hash: safeMessageHash } as const
  if (unreadable) return <Unreadable message={message} account={account} place={subjectPlace} error={unreadable} />
  return (
    <ReadableMessage
      message={message}
      isUnreachable={isUnreachable}
      request={request}
      account={account}
      place={subjectPlace}
    />
  )
}

/** Shows a message that cannot be signed: it is ambiguous, or a signature would not cover any part of it. */
function Unreadable({
  place,
  message,
  account,
  error,
}: {
  place: SubjectPlace
  message: SafeMessage
  account: AddressType | null
  error: CountersignError
}) {
  const chain = useChain(place.chainId)
  return (
    <div className="grid gap-6" data-message-unreadable>
      <ReviewHead
        kind="message"
        title={messageTitle(message.content)}
        place={place}
        chainName={chain?.name}
        verdict="do-not-sign"
      />
      <Problem error={error} title={text('verdict.do-not-sign')} />
      <p className="font-semibold">{text('message.refused.do-not-sign')}</p>
      {account !== null && isSame(message.proposer, account) && <DeleteMessage place={place} />}
    </div>
  )
}

function ReadableMessage({
  place,
  message,
  isUnreachable,
  request,
  account,
}: {
  place: SubjectPlace
  message: SafeMessage
  isUnreachable: boolean
  request: MessageRequest
  account: AddressType | null
}) {
  const { chainId, safeAddress } = place
  const accountState = useAccountState()
  const view = useReview(request, chainId, safeAddress)
  const { state } = view
  const review = view.review?.kind === 'message' ? view.review : undefined
  const chain = useChain(chainId)
  const names = namesOf(safeAddress, state, account, chain, useTeamNames(chainId, safeAddress))
  const isOutdated = view.isOutdated || isUnreachable
  const acknowledging = useAcknowledgements(review, account)
  const acknowledgements = acknowledging.given
  const role = useRole(chainId, safeAddress)
  const facts = { review, state, isOutdated, accountState, acknowledgements, role }
  // Raw bytes say no more on the chain than they do here: nobody could read what the Safe signs.
  const mayPropose = (role === 'owner' || role === 'proposer') && request.subject.content.encoding !== 'RAW'
  const offer = offerConfirm(facts)
  const confirm = useConfirm(place)
  const acknowledge = <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={view.retry} />
  const isOpen = message.confirmations.length < message.confirmationsRequired
  const title = messageTitle(message.content, { isComplete: !isOpen })
  const collected = review && state && !isRefused(review) && (
    <CollectedSignature review={review} state={state} names={names} />
  )
  const claims = { ...message, proposedByDelegate: null, names }
  const signIn = parseSignInContent(message.content, place, location)
  const head = (
    <>
      <ReviewHead
        kind="message"
        title={title}
        place={place}
        claims={claims}
        chainName={chain?.name}
        verdict={review?.verdict}
      />
      <Notices view={view}>
        {signIn !== null && (
          <SignedSignIn
            chainId={chainId}
            safeAddress={safeAddress}
            isOpen={isOpen}
            message={signIn}
            isOwner={role === 'owner'}
          />
        )}
      </Notices>
    </>
  )
  if (view.error)
    return (
      <>
        {head}
        <QueryProblem error={view.error} onRetry={view.retry} />
      </>
    )
  if (!review)
    return (
      <ReviewWaiting kind="message" place={place} title={title} claims={claims} label={text('transaction.reviewing')} />
    )
  return (
    <MessageReviewView
      review={review}
      request={request}
      state={state}
      names={names}
      message={message}
      head={
        <>
          {head}
          {/* What an application waits for is not to be looked for at the end of a long page. */}
          {!isOpen && collected && <div className="mt-5">{collected}</div>}
        </>
      }
      bar={
        isOpen && (
          <DecisionBar
            title={title}
            review={review}
            isOutdated={isOutdated}
            threshold={state?.threshold ?? message.confirmationsRequired}
            confirm={offer}
          />
        )
      }
      decision={
        <>
          {isRefused(review) && (
            <CardPart title={text('confirm.title')}>
              <p className="font-semibold">{text('message.refused.do-not-sign')}</p>
            </CardPart>
          )}
          <YourConfirmation
            effect={title}
            offer={offer}
            explanation={text('message.confirm.explanation', { account: account ?? '' })}
            acknowledge={acknowledge}
            confirm={confirm}
            onAct={() => confirm.mutate({ shown: { hash: review.hash, acknowledgements } })}
          />
        </>
      }
      more={
        <>
          {mayPropose && review && !isRefused(review) && !view.facts.signedOnChain && <SignOnChain place={place} />}
          {isOpen && account !== null && isSame(message.proposer, account) && <DeleteMessage place={place} />}
        </>
      }
      evidence={
        <>
          {isOpen && state && (
            <ImportConfirmations
              place={place}
              request={request}
              review={review}
              acknowledgements={acknowledgements}
              state={state}
              names={names}
              offer={offerImport(facts)}
              acknowledge={hasButton(offer) ? null : acknowledge}
            />
          )}
          {isOpen && collected && <div className="mt-6">{collected}</div>}
        </>
      }
    />
  )
}

function SignOnChain({ place: { chainId, safeAddress, hash } }: { place: SubjectPlace }) {
  return (
    <CardPart title={text('message.signOnChain.title')}>
      <div className="grid gap-3">
        <p className="text-small text-ink-soft">{text('message.signOnChain.what')}</p>
        <div>
          <ButtonLink to="/safes/$chainId/$safeAddress/new" params={{ chainId, safeAddress }} search={{ sign: hash }}>
            {text('message.signOnChain.propose')}
          </ButtonLink>
        </div>
      </div>
    </CardPart>
  )
}

function Notices({ view, children }: { view: ReviewView; children: ReactNode }) {
  return (
    <div className="grid gap-4 not-empty:my-4">
      {children}
      {view.isOffline && (
        <Notice tone="warning" isAnnounced title={text('transaction.offline')}>
          {text('transaction.offline.sentence')}
        </Notice>
      )}
      {view.stateError && <QueryProblem error={view.stateError} isStale onRetry={view.retry} />}
      {view.facts.signedOnChain && (
        <Notice tone="good" title={text('message.onChain')}>
          {text('message.onChain.sentence')}
        </Notice>
      )}
    </div>
  )
}
