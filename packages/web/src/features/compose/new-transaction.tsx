import type { MultisigTransaction } from '@countersign/contract'
import { isSameAddress, type SafeState, type SafeTx } from '@countersign/safe'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { useRole } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { useWholeQueue } from '../../safe/use-whole-queue.ts'
import type { Asked } from '../../ui/list.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { NewReview } from './new-review.tsx'
import { othersOf } from './others-of.ts'
import { text } from './text.ts'

/** Facts that a new transaction is made of, once they are there. */
export type NewTransactionFacts = {
  state: SafeState
  /** All that wait. */
  transactions: readonly MultisigTransaction[]
  /** The review of the transaction, and signing it. `then`: which one to propose again afterwards, and at which nonce. */
  review: (safeTx: SafeTx, then?: { again: Hex; nonce: string } | null) => ReactNode
}

/** The page of a transaction that is made of something that is here already, for those who may propose. */
export function NewTransaction<Data>({
  chainId,
  safeAddress,
  parent,
  title,
  of,
  children,
}: {
  chainId: number
  safeAddress: Address
  parent: NonNullable<ComponentProps<typeof SafePageHead>['parent']>
  title: string
  /** Whatever it is made of. */
  of: Asked<Data>
  children: (data: Data, facts: NewTransactionFacts) => ReactNode
}) {
  const navigate = useNavigate()
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  const account = useSession().session?.address ?? null
  const isOwner = account !== null && state.data?.owners.some((owner) => isSameAddress(owner, account)) === true
  const transactions = queue.data?.pages.flatMap((page) => page.transactions) ?? []
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  const failed = [state, of].find(({ data, error }) => data === undefined && error) ?? (isWhole ? null : queue)
  const review: NewTransactionFacts['review'] = (safeTx, then = null) => (
    <NewReview
      request={{
        subject: { kind: 'transaction', chainId, safeAddress, safeTx },
        // A note of somebody else is not repeated in the name of this account.
        claimedHash: null,
        confirmations: [],
        removedOwners: [],
        account,
        origin: null,
        others: othersOf(transactions),
      }}
      isOwner={isOwner}
      onProposed={({ hash }) =>
        void (then
          ? navigate({ to: '/safes/$chainId/$safeAddress/new', params: { chainId, safeAddress }, search: then })
          : navigate({
              to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
              params: { chainId, safeAddress, safeTxHash: hash },
            }))
      }
    />
  )
  return (
    <>
      <SafePageHead parent={parent} chainId={chainId} safeAddress={safeAddress} title={title} />
      {failed?.error ? (
        <QueryProblem error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !state.data || !isWhole || of.data === undefined ? (
        <Skeleton label={text('queue.loading')} />
      ) : !isOwner && role !== 'proposer' ? (
        <Notice tone="warning" title={text('propose.notOwner')}>
          {text('propose.notOwner.sentence', { account: account ?? '' })}
        </Notice>
      ) : (
        children(of.data, { state: state.data, transactions, review })
      )}
    </>
  )
}
