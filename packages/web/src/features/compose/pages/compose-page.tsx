import type { SafeState, SafeTx } from '@countersign/safe'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { useChain } from '../../../api/configuration.ts'
import type { TransactionRequest } from '../../../review/subject.ts'
import type { Place } from '../../../safe/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { useWritten } from '../../../ui/form/use-written.ts'
import { Skeleton } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'
import { type Draft, type EntryKind, nextDraft, startEntry, type Typed } from '../draft.ts'
import { NewReview } from '../new-review.tsx'
import { othersOf } from '../others-of.ts'
import { sameInQueue } from '../payout/batch-standing.ts'
import { PayoutProgress } from '../payout/payout-progress.tsx'
import { withSent } from '../payout/saved-payout.ts'
import { useKeptPayout } from '../payout/use-payout.ts'
import { ProposeForm } from '../propose-form.tsx'
import { checkNamesAgain, type NamedRecipient } from '../registered-name.ts'
import { keepDraft, removeDraft } from '../saved/unfinished.ts'
import { UnfinishedDrafts } from '../saved/unfinished-drafts.tsx'
import { useDraft } from '../saved/use-draft.ts'
import { useProposedAs } from '../saved/use-proposed-as.ts'
import { removeShared } from '../team-drafts.tsx'
import { text } from '../text.ts'
import { newRequest, type ProposalContext, ProposeFrame, useProposalContext } from './propose-frame.tsx'
import { useOpenProposed } from './use-open-proposed.ts'

/**
 * A transaction that is reviewed before it is signed; `from` is the first payment of a payout's transaction, null for a draft;
 * `named` are the names that stood for its addresses.
 */
type Written = { request: TransactionRequest; from: number | null; named: readonly NamedRecipient[] }

type ComposePageProps = {
  chainId: number
  safeAddress: Address
  /** Nonce of the proposal that this one is to replace. */
  nonce: bigint | null
  /** An entry that another page asks for. */
  start: { kind: EntryKind; typed: Partial<Typed> } | null
}

/** Composing a transfer: what to send, then the same review as everybody's, then the signature. */
export function ComposePage({ chainId, safeAddress, nonce, start }: ComposePageProps) {
  const context = useProposalContext(chainId, safeAddress)
  const { account, transactions } = context
  const place = { account, chainId, safeAddress }
  const drafting = useDraft(place, (kept) => {
    const started = start ? startEntry(kept, start.kind, start.typed) : kept
    return nonce === null ? started : { ...started, nonce: nonce.toString() }
  })
  const review = useWritten<Written>()
  const payout = useKeptPayout(place)
  const proposed = useProposedAs(drafting.draft, transactions, context.state.data)
  const [isPayoutHidden, setIsPayoutHidden] = useState(false)
  const composing = { context, drafting, review, payout }
  return (
    <ProposeFrame
      title={nonce === null ? text('propose.title') : text('propose.title.replace', { nonce })}
      isReview={review.written !== null}
      context={context}
    >
      {(safe) =>
        review.written ? (
          <WrittenReview {...composing} written={review.written} />
        ) : proposed.error ? (
          <QueryProblem error={proposed.error} onRetry={proposed.retry} />
        ) : proposed.isAsking ? (
          <Skeleton label={text('queue.loading')} />
        ) : proposed.hash !== null ? (
          <SentDraftNotice
            chainId={chainId}
            safeAddress={safeAddress}
            safeTxHash={proposed.hash}
            onNew={() => {
              const next = nextDraft(drafting.draft)
              drafting.discard()
              if (next) drafting.open(next)
            }}
          />
        ) : (
          <Compose
            {...composing}
            safe={safe}
            nonce={nonce}
            isPayoutHidden={isPayoutHidden}
            onPayoutHidden={setIsPayoutHidden}
          />
        )
      }
    </ProposeFrame>
  )
}

type Composing = {
  context: ProposalContext
  drafting: ReturnType<typeof useDraft>
  review: ReturnType<typeof useWritten<Written>>
  payout: ReturnType<typeof useKeptPayout>
}

/** The review of what was written, and what follows once it is sent and proposed. */
function WrittenReview({ context, drafting, review, payout, written }: Composing & { written: Written }) {
  const { chainId, safeAddress, account, transactions, isOwner } = context
  const queryClient = useQueryClient()
  const registry = useChain(chainId)?.nameRegistry ?? null
  const openProposed = useOpenProposed(context)
  const { request, from, named } = written
  const noteSent = (hash: Hex) => {
    const sent = { hash, nonce: request.subject.safeTx.nonce }
    if (from === null) drafting.noteSentAs(sent)
    else void payout.change((kept) => withSent(kept, from, sent))
  }
  const afterwards = ({ hash }: Place) => {
    // Back to the payout that it is a part of.
    if (from !== null) return review.leave()
    const { draft } = drafting
    const place = { account, chainId, safeAddress }
    removeShared(place, draft)
    removeDraft(place)
    const next = nextDraft(draft)
    if (next) keepDraft(place, next)
    openProposed(hash, { replace: true })
  }
  return (
    <>
      <div className="mb-8">
        <Button onClick={review.leave}>{text('propose.back')}</Button>
      </div>
      <NewReview
        request={{ ...request, account, others: othersOf(transactions) }}
        isOwner={isOwner}
        onProposed={afterwards}
        onSend={noteSent}
        checkFirst={() => checkNamesAgain(queryClient, registry, chainId, named)}
      />
    </>
  )
}

/** The payout that this browser keeps, or the form of a draft. */
function Compose({
  context,
  drafting,
  review,
  payout,
  safe,
  nonce,
  isPayoutHidden,
  onPayoutHidden,
}: Composing & {
  safe: SafeState
  nonce: bigint | null
  /** Whether a draft is written while the payout waits. */
  isPayoutHidden: boolean
  onPayoutHidden: (isHidden: boolean) => void
}) {
  const { chainId, safeAddress, account, transactions } = context
  const { draft, opened, discard, open, noteSentAs } = drafting
  const place = { account, chainId, safeAddress }
  const requestOf = (safeTx: SafeTx, origin: string | null) => newRequest(context, safeTx, origin)
  const kept = nonce === null ? payout.kept : null
  if (kept && account && !isPayoutHidden)
    return (
      <PayoutProgress
        key={kept.id}
        kept={kept}
        change={payout.change}
        safe={safe}
        account={account}
        transactions={transactions}
        onReview={(safeTx, origin, from) => review.review({ request: requestOf(safeTx, origin), from, named: [] })}
        onHide={() => onPayoutHidden(true)}
      />
    )
  return (
    <>
      {kept && <PayoutWaits count={kept.count} onOpen={() => onPayoutHidden(false)} />}
      {nonce === null && <UnfinishedDrafts key={`others ${opened}`} place={place} draft={draft} onOpen={open} />}
      <ProposeForm
        key={opened}
        place={place}
        draft={draft}
        transactions={transactions}
        state={safe}
        onChange={(next: Draft) => {
          drafting.set(next)
          review.forget()
        }}
        onDiscard={discard}
        requestOf={(safeTx, origin) => ({ ...requestOf(safeTx, origin), others: othersOf(transactions) })}
        onReview={(safeTx, origin, named) => {
          // Somebody else of the team may have proposed the same draft.
          const there = draft.shared === null ? null : sameInQueue(safeTx, transactions)
          if (there) noteSentAs(there)
          else review.review({ request: requestOf(safeTx, origin), from: null, named })
        }}
        onPayout={(next) => {
          onPayoutHidden(false)
          void payout.change((before) => before ?? next)
        }}
      />
    </>
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
  safeAddress: Address
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
