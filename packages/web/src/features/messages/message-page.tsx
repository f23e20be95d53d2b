import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { messageRequest } from '../../review/message-request.ts'
import { useConfirm } from '../../review/sign/use-confirm.ts'
import type { ReviewView } from '../../review/use-review.ts'
import { ReviewHead } from '../../review/view/review-head.tsx'
import { ReviewWaiting, ServedReview } from '../../review/view/review-waiting.tsx'
import { messageQuery } from '../../safe/message-query.ts'
import type { Place as SubjectPlace } from '../../safe/queries.ts'
import { messageTitle } from '../../safe/title/message-title.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, QueryProblem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { MessageReviewView } from './message-review-view.tsx'
import {
  Collected,
  Decision,
  DecisionLink,
  DeleteOwnMessage,
  ImportedConfirmations,
  SignOnChain,
} from './reviewed-message.tsx'
import { parseSignInContent } from './sign-in-link.ts'
import { SignedSignIn } from './sign-in-notice.tsx'
import { text } from './text.ts'
import { type ReadableMessageProps, type SafeMessage, useMessageReview } from './use-message-review.ts'

const REFETCH_MS = 30_000

type Place = { chainId: number; safeAddress: AddressType; safeMessageHash: Hex }

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
      <DeleteOwnMessage place={place} message={message} account={account} />
    </div>
  )
}

function ReadableMessage(props: ReadableMessageProps) {
  const { place, message, request } = props
  const { chainId, safeAddress } = place
  const reviewed = useMessageReview(props)
  const { view, review, state, names, role } = reviewed
  const confirm = useConfirm(place)
  const isOpen = message.confirmations.length < message.confirmationsRequired
  const title = messageTitle(message.content, { isComplete: !isOpen })
  const claims = { ...message, proposedByDelegate: null, names }
  const signIn = parseSignInContent(message.content, place, location)
  const head = (
    <>
      <ReviewHead
        kind="message"
        title={title}
        place={place}
        claims={claims}
        chainName={names.chain?.name}
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
  const shown = { ...props, ...reviewed, review, title, confirm }
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
          {/* Near the top, because an application waits for the signature. */}
          {!isOpen && (
            <div className="mt-5 empty:hidden">
              <Collected {...shown} />
            </div>
          )}
        </>
      }
      bar={isOpen && <DecisionLink {...shown} />}
      decision={<Decision {...shown} />}
      more={
        <>
          <SignOnChain {...shown} />
          {isOpen && <DeleteOwnMessage {...shown} />}
        </>
      }
      evidence={
        isOpen && (
          <>
            <ImportedConfirmations {...shown} />
            <div className="mt-6 empty:hidden">
              <Collected {...shown} />
            </div>
          </>
        )
      }
    />
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
