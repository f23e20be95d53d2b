import type { MultisigTransaction } from '@countersign/contract'
import {
  CountersignError,
  type MessageContent,
  newSigningOnChain,
  nextFreeNonce,
  parseMessageContent,
  type SafeState,
} from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Address, Hex } from 'viem'
import { useRole } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { othersOf, proposalsOf } from '../../review/proposals.ts'
import { messageQuery } from '../../review/queries.ts'
import { SafePageHead } from '../../review/safe/safe-page-head.tsx'
import { useWholeQueue } from '../../review/use-whole-queue.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { useSession } from '../../wallet/index.ts'
import { useLibrary } from './form-facts.ts'
import { NewReview } from './new-review.tsx'
import { text } from './text.ts'

/** Proposes that the Safe signs a message itself, on the chain: for applications that ask the contract alone. */
export function SignOnChain({
  chainId,
  safeAddress,
  safeMessageHash,
}: {
  chainId: number
  safeAddress: Address
  safeMessageHash: Hex
}) {
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const served = useQuery(messageQuery(chainId, safeMessageHash))
  const role = useRole(chainId, safeAddress)
  const account = useSession().session?.address ?? null
  const failed = [state, queue, served].find(({ data, error }) => data === undefined && error !== null)
  return (
    <div data-propose="review">
      <SafePageHead parent="messages" {...{ chainId, safeAddress }} title={text('signOnChain.title')} />
      {failed?.error ? (
        <QueryProblem error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !state.data || !queue.data || queue.hasNextPage || !served.data ? (
        <Skeleton label={text('queue.loading')} />
      ) : role !== 'owner' && role !== 'proposer' ? (
        <Notice tone="warning" title={text('propose.notOwner')}>
          {text('propose.notOwner.sentence', { account: account ?? '' })}
        </Notice>
      ) : (
        <Signing
          state={state.data}
          transactions={queue.data.pages.flatMap((page) => page.transactions)}
          json={served.data.content}
          {...{ account }}
          isOwner={role === 'owner'}
        />
      )}
    </div>
  )
}

/** The content; null where it cannot be read. */
function contentOf(json: string): MessageContent | null {
  try {
    return parseMessageContent(json)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}

function Signing({
  state,
  transactions,
  json,
  account,
  isOwner,
}: {
  state: SafeState
  transactions: readonly MultisigTransaction[]
  /** The message as it was written. */
  json: string
  account: Address | null
  isOwner: boolean
}) {
  const { chainId, address: safeAddress } = state
  const navigate = useNavigate()
  const library = useLibrary('sign-message-lib', state)
  // The place in the queue stays while others propose: what is reviewed here is what is signed here.
  const [nonce] = useState(() => nextFreeNonce(proposalsOf(transactions), state.nonce))
  const content = useMemo(() => contentOf(json), [json])
  if (content === null) return <Notice tone="warning">{text('signOnChain.unreadable')}</Notice>
  if (library === undefined) return <Skeleton label={text('queue.loading')} />
  const safeTx = newSigningOnChain(content, state, { nonce, library })
  if (safeTx === null) return <Notice tone="warning">{text('signOnChain.noLibrary')}</Notice>
  return (
    <>
      <p className="mb-8 max-w-2xl">{text('signOnChain.what')}</p>
      <NewReview
        request={{
          subject: { kind: 'transaction', chainId, safeAddress, safeTx },
          ...{ claimedHash: null, confirmations: [], removedOwners: [], account, origin: null },
          others: othersOf(transactions),
        }}
        isOwner={isOwner}
        onProposed={({ hash }) =>
          void navigate({
            to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
            params: { chainId, safeAddress, safeTxHash: hash },
          })
        }
      />
    </>
  )
}
