import type { MultisigTransaction } from '@countersign/contract'
import { isSameAddress, type SafeState, type SafeTx } from '@countersign/safe'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import type { TransactionRequest } from '../../../review/subject.ts'
import { useRole } from '../../../safe/safe.ts'
import { SafePageHead } from '../../../safe/safe-page-head.tsx'
import { useSafeState } from '../../../safe/safe-state.ts'
import { useWholeQueue } from '../../../safe/use-whole-queue.ts'
import { Skeleton } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'
import { useSession } from '../../../wallet/index.ts'
import { text } from '../text.ts'

/** Facts that a proposal is made of. */
export type ProposalContext = {
  chainId: number
  safeAddress: Address
  account: Address | null
  state: ReturnType<typeof useSafeState>
  queue: ReturnType<typeof useWholeQueue>
  /** All that wait, as far as they are read. */
  transactions: readonly MultisigTransaction[]
  isOwner: boolean
  mayPropose: boolean
}

export function useProposalContext(chainId: number, safeAddress: Address): ProposalContext {
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const { session, ended } = useSession()
  const account = session?.address ?? ended?.session.address ?? null
  const role = useRole(chainId, safeAddress)
  const isOwner = account !== null && state.data?.owners.some((owner) => isSameAddress(owner, account)) === true
  return {
    chainId,
    safeAddress,
    account,
    state,
    queue,
    transactions: queue.data?.pages.flatMap((page) => page.transactions) ?? [],
    isOwner,
    mayPropose: isOwner || role === 'proposer',
  }
}

/** Builds the review request for a transaction that is not proposed yet. */
export function newRequest(
  { chainId, safeAddress, account }: Pick<ProposalContext, 'chainId' | 'safeAddress' | 'account'>,
  safeTx: SafeTx,
  origin: string | null,
): TransactionRequest {
  return {
    subject: { kind: 'transaction', chainId, safeAddress, safeTx },
    claimedHash: null,
    confirmations: [],
    removedOwners: [],
    others: [],
    account,
    origin,
  }
}

/** The page of a new proposal: its head, then its content for those who may propose, once the queue is read as a whole. */
export function ProposeFrame({
  title,
  isReview,
  isWaiting = false,
  context,
  children,
}: {
  title: string
  isReview: boolean
  /** Whether something else is still to be read. */
  isWaiting?: boolean
  context: ProposalContext
  children: (safe: SafeState) => ReactNode
}) {
  const { chainId, safeAddress, state, queue, mayPropose } = context
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  return (
    <div data-propose={isReview ? 'review' : 'edit'}>
      <SafePageHead parent="queue" chainId={chainId} safeAddress={safeAddress} title={title} />
      {state.data && mayPropose && isWhole && !isWaiting ? children(state.data) : <CannotPropose {...context} />}
    </div>
  )
}

/** The reason why nothing can be proposed: something fails, is still read, or the account may not propose. */
function CannotPropose({ state, queue, mayPropose, account }: ProposalContext) {
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
