import { newApproval, newCancellation, type SafeTx } from '@countersign/safe'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import type { TransactionRequest } from '../../review/subject.ts'
import { isSame } from '../../safe/names/names.ts'
import { isBeingAsked, nextNonceOver, useOtherService } from '../../safe/other-service.ts'
import { othersOf, proposalsOf } from '../../safe/proposals.ts'
import type { Place } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { useWholeQueue } from '../../safe/use-whole-queue.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { useWritten } from '../../ui/form/use-written.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { type Draft, type EntryKind, nextDraft, startEntry, type Typed } from './draft.ts'
import { NewReview } from './new-review.tsx'
import { sameInQueue } from './payout/batch-standing.ts'
import { PayoutProgress } from './payout/payout-progress.tsx'
import { withSent } from './payout/saved-payout.ts'
import { useKeptPayout } from './payout/use-payout.ts'
import { ProposeForm } from './propose-form.tsx'
import { checkNamesAgain, type NamedRecipient } from './registered-name.ts'
import { type DraftPlace, keepDraft, removeDraft } from './saved/unfinished.ts'
import { UnfinishedDrafts } from './saved/unfinished-drafts.tsx'
import { useDraft } from './saved/use-draft.ts'
import { useProposedAs } from './saved/use-proposed-as.ts'
import { removeShared } from './team-drafts.tsx'
import { text } from './text.ts'

type ProposePageProps = {
  chainId: number
  safeAddress: AddressType
  /** Nonce of the proposal that this one is to replace. */
  nonce: bigint | null
  /** Whether it is to end that proposal, and do nothing else. */
  isCancellation?: boolean
  /** The hash that the Safe is to approve as an owner of another Safe. */
  approval?: { parent: AddressType; hash: Hex } | null
  /** An entry that another page asks for. */
  start?: { kind: EntryKind; typed: Partial<Typed> } | null
}

/** Composing a transfer: what to send, then the same review as everybody's, then the signature. */
export function ProposePage({
  chainId,
  safeAddress,
  nonce,
  isCancellation = false,
  approval = null,
  start = null,
}: ProposePageProps) {
  const queryClient = useQueryClient()
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const elsewhere = useOtherService(state.data)
  const registry = useChain(chainId)?.nameRegistry ?? null
  const { session, ended } = useSession()
  const account = session?.address ?? ended?.session.address ?? null
  const place = { account, chainId, safeAddress }
  const { draft, opened, set, discard, open, noteSentAs } = useDraft(place, (kept) => {
    const started = start ? startEntry(kept, start.kind, start.typed) : kept
    return nonce === null ? started : { ...started, nonce: nonce.toString() }
  })
  const requestOf = (safeTx: SafeTx, origin: string | null): TransactionRequest => ({
    subject: { kind: 'transaction', chainId, safeAddress, safeTx },
    claimedHash: null,
    confirmations: [],
    removedOwners: [],
    others: [],
    account,
    origin,
  })
  const [cancellation] = useState<Written | null>(() =>
    isCancellation && nonce !== null
      ? { request: requestOf(newCancellation(safeAddress, nonce), null), from: null, named: [] }
      : null,
  )
  const review = useWritten<Written>()
  const written = review.written ?? cancellation
  const payout = useKeptPayout(place)
  const [isAside, setIsAside] = useState(false)
  const role = useRole(chainId, safeAddress)
  const change = (next: Draft) => {
    set(next)
    // A draft that is kept while it is sent is the one that was reviewed.
    if (review.written === null) review.forget()
  }
  const goOn = () => {
    const next = nextDraft(draft)
    discard()
    if (next) open(next)
  }
  const isOwner = account !== null && state.data?.owners.some((owner) => isSame(owner, account))
  const mayPropose = isOwner || role === 'proposer'
  const transactions = queue.data?.pages.flatMap((page) => page.transactions) ?? []
  const proposed = useProposedAs(draft, transactions, state.data)
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  const isWaiting = !isWhole || (approval !== null && isBeingAsked(elsewhere))
  const approving =
    approval && state.data && !isWaiting
      ? newApproval(approval, nextNonceOver(proposalsOf(transactions), elsewhere, state.data.nonce))
      : null
  const request = approving ? requestOf(approving, null) : (written?.request ?? null)
  const from = written?.from ?? null
  const isDraft = !isCancellation && !approval && from === null
  const keepSent = (hash: Hex) => {
    if (!request) return
    const sent = { hash, nonce: request.subject.safeTx.nonce }
    if (isDraft) noteSentAs(sent)
    else if (from !== null) void payout.change((kept) => withSent(kept, from, sent))
  }
  const checkNames = () => checkNamesAgain(queryClient, registry, chainId, written?.named ?? [])
  const afterwards = useAfterwards({ place, draft, isDraft, isOfPayout: from !== null, review })
  return (
    <div data-propose={request ? 'review' : 'edit'}>
      <SafePageHead
        parent="queue"
        chainId={chainId}
        safeAddress={safeAddress}
        title={titleOf({ nonce, isCancellation, approval })}
      />
      {!state.data || !mayPropose || isWaiting ? (
        <CannotCompose state={state} queue={queue} mayPropose={mayPropose} account={account} />
      ) : request ? (
        <>
          <AboutReview of={approval ? 'approval' : isCancellation ? 'cancellation' : 'draft'} onBack={review.leave} />
          <NewReview
            request={{ ...request, account, others: othersOf(transactions) }}
            isOwner={isOwner === true}
            onProposed={afterwards}
            onSend={keepSent}
            checkFirst={checkNames}
          />
        </>
      ) : proposed.error ? (
        <QueryProblem error={proposed.error} onRetry={proposed.retry} />
      ) : proposed.isAsking ? (
        <Skeleton label={text('queue.loading')} />
      ) : proposed.hash !== null ? (
        <SentDraftNotice chainId={chainId} safeAddress={safeAddress} safeTxHash={proposed.hash} onNew={goOn} />
      ) : payout.kept && account && nonce === null && !isAside ? (
        <PayoutProgress
          key={payout.kept.id}
          kept={payout.kept}
          change={payout.change}
          safe={state.data}
          account={account}
          transactions={transactions}
          onReview={(safeTx, origin, from) => review.review({ request: requestOf(safeTx, origin), from, named: [] })}
          onAside={() => setIsAside(true)}
        />
      ) : (
        <>
          {payout.kept && nonce === null && <PayoutWaits count={payout.kept.count} onOpen={() => setIsAside(false)} />}
          {nonce === null && <UnfinishedDrafts key={`others ${opened}`} place={place} draft={draft} onOpen={open} />}
          <ProposeForm
            key={opened}
            place={place}
            draft={draft}
            transactions={transactions}
            state={state.data}
            onChange={change}
            onDiscard={discard}
            requestOf={(safeTx, origin) => ({ ...requestOf(safeTx, origin), others: othersOf(transactions) })}
            onReview={(safeTx, origin, named) => {
              // Somebody else of the team may have proposed the same draft.
              const there = draft.shared === null ? null : sameInQueue(safeTx, transactions)
              if (there) noteSentAs(there)
              else review.review({ request: requestOf(safeTx, origin), from: null, named })
            }}
            onPayout={(next) => {
              setIsAside(false)
              void payout.change((kept) => kept ?? next)
            }}
          />
        </>
      )}
    </div>
  )
}

/** The reason why nothing can be composed: something fails, is still read, or the account may not propose. */
function CannotCompose({
  state,
  queue,
  mayPropose,
  account,
}: {
  state: ReturnType<typeof useSafeState>
  queue: ReturnType<typeof useWholeQueue>
  mayPropose: boolean
  account: AddressType | null
}) {
  if (!state.data)
    return state.error ? (
      <QueryProblem error={state.error} onRetry={() => void state.refetch()} />
    ) : (
      <Skeleton label={text('safe.loading')} />
    )
  if (!mayPropose)
    return (
      <Notice tone="warning" title={text('propose.notOwner')}>
        {text('propose.notOwner.sentence', { account: account ?? '' })}
      </Notice>
    )
  if (!queue.data && queue.error) return <QueryProblem error={queue.error} onRetry={() => void queue.refetch()} />
  return <Skeleton label={text('queue.loading')} />
}

/** Where to go once it is proposed: to the transaction, or back to the payout that it is a part of. */
function useAfterwards({
  place,
  draft,
  isDraft,
  isOfPayout,
  review,
}: {
  place: DraftPlace
  draft: Draft
  isDraft: boolean
  isOfPayout: boolean
  review: ReturnType<typeof useWritten<Written>>
}): (place: Place) => void {
  const navigate = useNavigate()
  const { chainId, safeAddress } = place
  return ({ hash }) => {
    if (isOfPayout) return review.leave()
    if (isDraft) {
      removeShared(place, draft)
      removeDraft(place)
      const next = nextDraft(draft)
      if (next) keepDraft(place, next)
    }
    void navigate({
      to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
      params: { chainId, safeAddress, safeTxHash: hash },
      // Back leads to where it was written, and not to a review of what is proposed.
      replace: review.written !== null,
    })
  }
}

function titleOf({ nonce, isCancellation, approval }: Pick<ProposePageProps, 'nonce' | 'isCancellation' | 'approval'>) {
  if (approval) return text('propose.title.approve')
  if (nonce === null) return text('propose.title')
  return text(isCancellation ? 'propose.title.cancel' : 'propose.title.replace', { nonce })
}

/**
 * A transaction that is reviewed before it is signed; `from` is the first payment of a payout's transaction, null for all
 * else; `named` are the names that stood for its addresses.
 */
type Written = { request: TransactionRequest; from: number | null; named: readonly NamedRecipient[] }

/** Says above a review where it comes from, and leads back. */
function AboutReview({ of, onBack }: { of: 'approval' | 'cancellation' | 'draft'; onBack: () => void }) {
  if (of === 'approval') return <p className="mb-8 max-w-2xl">{text('propose.approve.what')}</p>
  return (
    <div className="mb-8">
      {of === 'cancellation' ? (
        <Notice>{text('propose.cancel.what')}</Notice>
      ) : (
        <Button onClick={onBack}>{text('propose.back')}</Button>
      )}
    </div>
  )
}

function PayoutWaits({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <div className="mb-8">
      <Notice
        actions={
          <Button isCompact onClick={onOpen}>
            {text('payout.open')}
          </Button>
        }
      >
        {text('payout.title', { count })}
      </Notice>
    </div>
  )
}

/** A draft whose answer got lost on the way: it arrived, and is not offered a second time. */
function SentDraftNotice({
  chainId,
  safeAddress,
  safeTxHash,
  onNew,
}: {
  chainId: number
  safeAddress: AddressType
  safeTxHash: Hex
  onNew: () => void
}) {
  return (
    <Notice
      title={text('compose.sent')}
      actions={
        <>
          <ButtonLink
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash }}
          >
            {text('compose.sent.open')}
          </ButtonLink>
          <Button onClick={onNew}>{text('compose.sent.new')}</Button>
        </>
      }
    >
      {text('compose.sent.sentence')}
    </Notice>
  )
}
