import type { SafeMessage } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useRole } from '../../api/safe.ts'
import { useTeamNames } from '../../api/team-names.ts'
import { DecisionBar } from '../../review/decision-bar.tsx'
import { isSame, namesOf } from '../../review/names.ts'
import { type Offer, offerImportAfter } from '../../review/signing-permission.ts'
import { YourConfirmation } from '../../review/your-confirmation.tsx'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SafePageHead } from '../../ui/safe-page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { useAccountState, useSession, Writing } from '../../wallet/index.ts'
import { CollectedSignature } from './collected-signature.tsx'
import { ImportMessageConfirmations } from './import-message-confirmations.tsx'
import { MessageReviewView } from './message-review-view.tsx'
import { offerConfirmMessage } from './offer-confirm-message.ts'
import { messageQuery } from './queries.ts'
import { text } from './text.ts'
import { requestOfMessage, useMessageReview } from './use-message-review.ts'
import { useConfirmMessage, useDeleteMessage } from './use-message-verbs.ts'

const REFETCH_MS = 30_000

type Place = { chainId: number; safeAddress: AddressType; safeMessageHash: Hex }

/** One message: the review first, then what the reader may do about it, then what was collected. */
export function MessagePage(place: Place) {
  const { chainId, safeAddress, safeMessageHash } = place
  const chain = useChain(chainId)
  const served = useQuery({ ...messageQuery(chainId, safeMessageHash), refetchInterval: REFETCH_MS })
  return (
    <div data-message-page={safeMessageHash}>
      <SafePageHead
        back="messages"
        chainId={chainId}
        safeAddress={safeAddress}
        chainName={chain?.name}
        title={text('message.title')}
      />
      {served.isPending ? (
        <Skeleton label={text('message.loading')} lines={6} />
      ) : !served.data ? (
        <Problem error={served.error} onRetry={() => void served.refetch()} />
      ) : (
        <>
          {served.error && <Problem error={served.error} onRetry={() => void served.refetch()} />}
          <Served place={place} message={served.data} isUnreachable={served.error !== null} />
        </>
      )}
    </div>
  )
}

/** What a server that lies about the place would have shown here. */
function Served({ place, message, isUnreachable }: { place: Place; message: SafeMessage; isUnreachable: boolean }) {
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
  return <Reviewed place={place} message={message} isUnreachable={isUnreachable} />
}

function Reviewed({ place, message, isUnreachable }: { place: Place; message: SafeMessage; isUnreachable: boolean }) {
  const chain = useChain(place.chainId)
  const { session } = useSession()
  const accountState = useAccountState()
  const request = requestOfMessage(message, place.safeMessageHash)
  const view = useMessageReview(request)
  const { reviewed, state } = view
  const account = session?.address ?? null
  const team = useTeamNames(place.chainId, place.safeAddress)
  const names = namesOf(place.safeAddress, state, account, chain, team)
  const isOutdated = view.isOutdated || isUnreachable
  const role = useRole(place.chainId, place.safeAddress)
  const offer = offerConfirmMessage({ review: reviewed?.review, state, isOutdated, accountState, role })
  const isOpen = message.confirmations.length < message.confirmationsRequired
  const collected = reviewed && state && reviewed.review.verdict !== 'do-not-sign' && (
    <CollectedSignature request={request} reviewed={reviewed} state={state} names={names} />
  )
  return (
    <>
      <div className="grid gap-4 not-empty:mb-8">
        {view.isOffline && (
          <Notice tone="warning" isAnnounced title={text('transaction.offline')}>
            {text('transaction.offline.sentence')}
          </Notice>
        )}
        {view.stateError && <Problem error={view.stateError} onRetry={view.retry} />}
        {reviewed?.facts.isSignedOnChain && (
          <Notice tone="good" title={text('message.onChain')}>
            {text('message.onChain.sentence')}
          </Notice>
        )}
      </div>
      {/* What an application waits for is not to be looked for at the end of a long page. */}
      {!isOpen && collected}
      {view.error ? (
        <Problem
          error={view.error}
          {...(view.error instanceof CountersignError && view.error.code === 'FIELD_MALFORMED'
            ? { title: text('message.unreadable') }
            : { onRetry: view.retry })}
        />
      ) : !reviewed ? (
        <div className="mb-8">
          <Loading label={text('transaction.reviewing')} />
        </div>
      ) : (
        <MessageReviewView
          reviewed={reviewed}
          request={request}
          state={state}
          names={names}
          message={message}
          end={
            isOpen && (
              <DecisionBar
                review={reviewed.review}
                threshold={state?.threshold ?? message.confirmationsRequired}
                isOutdated={isOutdated}
                confirm={offer}
              />
            )
          }
        />
      )}
      {reviewed?.review.verdict === 'do-not-sign' && (
        <div className="mb-9 sm:mb-12">
          <Notice tone="danger" title={text('verdict.do-not-sign')} hint={text('message.verdict.advice')}>
            {text('message.refused.do-not-sign')}
          </Notice>
        </div>
      )}
      {reviewed && (
        <Confirm place={place} offer={offer} shown={reviewed.review.hashes.safeMessageHash} account={account} />
      )}
      {isOpen && reviewed && state && (
        <ImportMessageConfirmations
          place={place}
          offer={offerImportAfter({ review: reviewed.review, isOutdated, accountState, role })}
          {...{ reviewed, state, names }}
        />
      )}
      {isOpen && collected}
      {isOpen && account !== null && isSame(message.proposer, account) && <Delete place={place} />}
    </>
  )
}

function Confirm({
  place,
  offer,
  shown,
  account,
}: {
  place: Place
  offer: Offer
  shown: Hex
  account: AddressType | null
}) {
  const confirm = useConfirmMessage(place)
  return (
    <YourConfirmation
      offer={offer}
      explanation={text('message.confirm.explanation', { account: account ?? '' })}
      confirm={confirm}
      onAct={() => confirm.mutate(shown)}
    />
  )
}

/** In two steps: it is gone for everybody. */
function Delete({ place }: { place: Place }) {
  const [isAsked, setIsAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useDeleteMessage(place)
  const { chainId, safeAddress } = place
  const act = () =>
    remove.mutate(undefined, {
      onSuccess: () => void navigate({ to: '/safes/$chainId/$safeAddress/messages', params: { chainId, safeAddress } }),
    })
  return (
    <Section title={text('message.delete.title')}>
      <div className="grid gap-4">
        {remove.error && !remove.isPending && <Problem error={remove.error} />}
        <p className="text-ink-soft">{text('message.delete.sentence')}</p>
        <Writing>
          <div className="flex flex-wrap gap-2">
            {isAsked ? (
              <>
                <Button
                  variant="danger"
                  busy={remove.isPending ? text('message.delete.busy') : undefined}
                  onClick={act}
                >
                  {text('message.delete.really')}
                </Button>
                <Button onClick={() => setIsAsked(false)}>{text('message.delete.keep')}</Button>
              </>
            ) : (
              <Button onClick={() => setIsAsked(true)}>{text('message.delete')}</Button>
            )}
          </div>
        </Writing>
      </div>
    </Section>
  )
}
