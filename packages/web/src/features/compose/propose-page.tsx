import { newApproval, newCancellation, nextFreeNonce, type SafeTx } from '@countersign/safe-core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useRole } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { isSame } from '../../review/names.ts'
import { othersOf, proposalsOf } from '../../review/proposals.ts'
import { ProposeReview } from '../../review/propose-review.tsx'
import { queueQuery } from '../../review/queries.ts'
import { SafePageHead } from '../../review/safe/safe-page-head.tsx'
import type { TransactionRequest } from '../../review/subject.ts'
import { text } from '../../review/text.ts'
import { transactionTitle } from '../../review/title/transaction-title.ts'
import { useNames } from '../../review/use-names.ts'
import { ReviewView } from '../../review/view/review-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { type Draft, emptyDraft, keepDraft, loadDraft } from './draft.ts'
import { ProposeForm } from './propose-form.tsx'

/** Composing a transfer: what to send, then the same review as everybody's, then the signature. */
export function ProposePage({
  chainId,
  safeAddress,
  nonce,
  isCancellation = false,
  approval = null,
}: {
  chainId: number
  safeAddress: AddressType
  /** Nonce of the proposal that this one is to replace. */
  nonce: bigint | null
  /** Whether it is to end that proposal, and do nothing else. */
  isCancellation?: boolean
  /** The hash that the Safe is to approve as an owner of another Safe. */
  approval?: { parent: AddressType; hash: Hex } | null
}) {
  const state = useSafeState(chainId, safeAddress)
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const { session, ended } = useSession()
  const account = session?.address ?? ended?.session.address ?? null
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = loadDraft(chainId, safeAddress) ?? emptyDraft
    return nonce === null ? kept : { ...kept, nonce: nonce.toString() }
  })
  const requestOf = (safeTx: SafeTx, origin: string | null): TransactionRequest => ({
    subject: { kind: 'transaction', chainId, safeAddress, safeTx },
    ...{ claimedHash: null, confirmations: [], removedOwners: [], others: [], account, origin },
  })
  const [written, setRequest] = useState<TransactionRequest | null>(
    isCancellation && nonce !== null ? requestOf(newCancellation(safeAddress, nonce), null) : null,
  )
  const role = useRole(chainId, safeAddress)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue
  // The next free nonce needs the whole queue.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  const change = (next: Draft) => {
    setDraft(next)
    keepDraft(chainId, safeAddress, next)
  }
  const isOwner = account !== null && state.data?.owners.some((owner) => isSame(owner, account))
  const mayPropose = isOwner || role === 'proposer'
  const transactions = queue.data?.pages.flatMap((page) => page.transactions) ?? []
  const isWhole = queue.data !== undefined && !hasNextPage
  const approving =
    approval && state.data && isWhole
      ? newApproval(approval, nextFreeNonce(proposalsOf(transactions), state.data.nonce))
      : null
  const request = approving ? requestOf(approving, null) : written
  return (
    <div data-propose={request ? 'review' : 'edit'}>
      <SafePageHead
        parent="queue"
        chainId={chainId}
        safeAddress={safeAddress}
        title={
          approval
            ? text('propose.title.approve')
            : nonce === null
              ? text('propose.title')
              : text(isCancellation ? 'propose.title.cancel' : 'propose.title.replace', { nonce })
        }
      />
      {!state.data && state.error ? (
        <Problem error={state.error} onRetry={() => void state.refetch()} />
      ) : !state.data ? (
        <Skeleton label={text('safe.loading')} />
      ) : !mayPropose ? (
        <Notice tone="warning" title={text('propose.notOwner')}>
          {text('propose.notOwner.sentence', { account: account ?? '' })}
        </Notice>
      ) : !queue.data && queue.error ? (
        <Problem error={queue.error} onRetry={() => void queue.refetch()} />
      ) : !queue.data || hasNextPage ? (
        <Skeleton label={text('queue.loading')} />
      ) : request ? (
        <>
          {approval ? (
            <p className="mb-8 max-w-2xl">{text('propose.approve.what')}</p>
          ) : isCancellation ? (
            <div className="mb-8">
              <Notice>{text('propose.cancel.what')}</Notice>
            </div>
          ) : (
            <div className="mb-8">
              <Button onClick={() => setRequest(null)}>{text('propose.back')}</Button>
            </div>
          )}
          <Review
            request={{ ...request, account, others: othersOf(transactions) }}
            isOwner={isOwner === true}
            onProposed={() => !isCancellation && !approval && keepDraft(chainId, safeAddress, null)}
          />
        </>
      ) : (
        <ProposeForm
          draft={draft}
          onChange={change}
          onDiscard={() => {
            setDraft(emptyDraft)
            keepDraft(chainId, safeAddress, null)
          }}
          onReview={(safeTx, origin) => setRequest(requestOf(safeTx, origin))}
          state={state.data}
          transactions={transactions}
        />
      )}
    </div>
  )
}

function Review({
  request,
  isOwner,
  onProposed,
}: {
  request: TransactionRequest
  isOwner: boolean
  onProposed: () => void
}) {
  const navigate = useNavigate()
  const { account } = request
  const { chainId, safeAddress, safeTx } = request.subject
  const names = useNames(chainId, safeAddress)
  return (
    <ProposeReview
      request={request}
      title={({ nested }) => transactionTitle(safeTx, names, { nested })}
      isOwner={isOwner}
      explanation={text(isOwner ? 'propose.sign.explanation' : 'propose.sign.proposer', { account: account ?? '' })}
      onProposed={({ chainId, safeAddress, hash }) => {
        onProposed()
        void navigate({
          to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
          params: { chainId, safeAddress, safeTxHash: hash },
        })
      }}
    >
      {({ review, state, facts }, parts) =>
        review.kind === 'transaction' && <ReviewView {...{ review, request, state, facts, account, ...parts }} />
      }
    </ProposeReview>
  )
}
