import { newSafeTx, nextFreeNonce, type SafeState, type SafeTx } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { useRole } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { parseNonce } from '../../review/amount.ts'
import { othersOf, type Proposal, proposalsOf } from '../../review/proposals.ts'
import { transactionQuery } from '../../review/queries.ts'
import { SafePageHead } from '../../review/safe/safe-page-head.tsx'
import type { TransactionRequest } from '../../review/subject.ts'
import { transactionTitle } from '../../review/title/transaction-title.ts'
import { useNames } from '../../review/use-names.ts'
import { useWholeQueue } from '../../review/use-whole-queue.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { NonceField } from './fields/nonce-field.tsx'
import { NewReview } from './new-review.tsx'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: Address; safeTxHash: Hex }

/**
 * Proposes what is proposed, or was executed, once more at another nonce: a payment that recurs, or another place in the
 * queue. It is a new transaction, with a review and a signature of its own.
 */
export function ProposeAgain({ chainId, safeAddress, safeTxHash }: Place) {
  const navigate = useNavigate()
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const served = useQuery(transactionQuery(chainId, safeTxHash))
  const account = useSession().session?.address ?? null
  const role = useRole(chainId, safeAddress)
  const [request, setRequest] = useState<TransactionRequest | null>(null)
  const failed = [state, queue, served].find(({ data, error }) => data === undefined && error !== null)
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  const transactions = queue.data?.pages.flatMap((page) => page.transactions) ?? []
  const before = served.data?.transaction
  const safeTx = before?.safeTx ?? null
  return (
    <div data-propose={request ? 'review' : 'edit'}>
      <SafePageHead parent="queue" {...{ chainId, safeAddress }} title={text('again.title')} />
      {failed?.error ? (
        <QueryProblem error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !state.data || !isWhole || !before ? (
        <Skeleton label={text('queue.loading')} />
      ) : role !== 'owner' && role !== 'proposer' ? (
        <Notice tone="warning" title={text('propose.notOwner')}>
          {text('propose.notOwner.sentence', { account: account ?? '' })}
        </Notice>
      ) : safeTx === null ? (
        <Notice tone="warning">{text('again.unknown')}</Notice>
      ) : request ? (
        <>
          <div className="mb-8">
            <Button onClick={() => setRequest(null)}>{text('propose.back')}</Button>
          </div>
          <NewReview
            request={{ ...request, account, others: othersOf(transactions) }}
            isOwner={role === 'owner'}
            onProposed={({ hash }) =>
              void navigate({
                to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
                params: { chainId, safeAddress, safeTxHash: hash },
              })
            }
          />
        </>
      ) : (
        <Choice
          state={state.data}
          proposals={proposalsOf(transactions)}
          before={safeTx}
          isWaiting={!before.isExecuted && safeTx.nonce >= state.data.nonce}
          onReview={(again) =>
            setRequest({
              subject: { kind: 'transaction', chainId, safeAddress, safeTx: again },
              // A note of another proposer is not repeated in the name of this one.
              ...{ claimedHash: null, confirmations: [], removedOwners: [], others: [], account, origin: null },
            })
          }
        />
      )}
    </div>
  )
}

/** Which transaction, and at which nonce. Refunds of the earlier one are not repeated. */
function Choice({
  state,
  proposals,
  before,
  isWaiting,
  onReview,
}: {
  state: SafeState
  proposals: readonly Proposal[]
  before: SafeTx
  /** Whether the earlier one can still be executed, too. */
  isWaiting: boolean
  onReview: (again: SafeTx) => void
}) {
  const names = useNames(state.chainId, state.address)
  const [typed, setTyped] = useState<string | null>(null)
  const nextNonce = nextFreeNonce(proposals, state.nonce)
  const nonce = typed === null ? nextNonce : parseNonce(typed)
  const { to, value, data, operation } = before
  const error =
    nonce === null
      ? text('field.nonce.not-a-number')
      : nonce < state.nonce
        ? text('field.nonce.past', { nonce, safeNonce: state.nonce })
        : isWaiting && nonce === before.nonce
          ? text('again.same', { nonce })
          : undefined
  const ask = () => {
    if (nonce !== null && error === undefined) onReview(newSafeTx({ to, value, data, operation, nonce }))
  }
  return (
    <div className="grid max-w-2xl gap-6">
      <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(before, names)}</p>
      {isWaiting && <Notice tone="warning">{text('again.twice', { nonce: before.nonce })}</Notice>}
      <Form submit={text('propose.review')} state={{ onSubmit: ask }}>
        <NonceField {...{ nonce: typed, nextNonce, proposals, names, error }} onChange={setTyped} />
      </Form>
    </div>
  )
}
