import { CountersignError, type MessageContent, parseMessageContent } from '@countersign/safe'
import { newSigningOnChain } from '@countersign/safe/compose'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Address, Hex } from 'viem'
import { messageQuery } from '../../safe/message-query.ts'
import { isBeingAsked, nextNonceOver, type OtherService, useOtherService } from '../../safe/other-service.ts'
import { proposalsOf } from '../../safe/proposals.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NotLoaded, Problem } from '../../ui/problem.tsx'
import { useLibrary } from './form-facts.ts'
import { NewTransaction, type NewTransactionFacts } from './new-transaction.tsx'
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
  const served = useQuery(messageQuery(chainId, safeMessageHash))
  return (
    <NewTransaction
      chainId={chainId}
      safeAddress={safeAddress}
      parent="messages"
      title={text('signOnChain.title')}
      of={served}
    >
      {(message, facts) => <AwaitServiceQueue json={message.content} {...facts} />}
    </NewTransaction>
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

/** Waits for another service that the operator names: a nonce that is taken there is not free. */
function AwaitServiceQueue(given: NewTransactionFacts & { json: string }) {
  const elsewhere = useOtherService(given.state)
  return isBeingAsked(elsewhere) ? (
    <Skeleton label={text('queue.loading')} />
  ) : (
    <Signing {...given} elsewhere={elsewhere} />
  )
}

function Signing({
  json,
  state,
  transactions,
  review,
  elsewhere,
}: NewTransactionFacts & { json: string; elsewhere: OtherService | null }) {
  const library = useLibrary('sign-message-lib', state)
  const content = useMemo(() => contentOf(json), [json])
  // The place in the queue stays while others propose: what is reviewed here is what is signed here.
  const [nonce] = useState(() => nextNonceOver(proposalsOf(transactions), elsewhere, state.nonce))
  if (content === null) return <Notice tone="warning">{text('signOnChain.unreadable')}</Notice>
  if (library.error) return <Problem error={library.error} onRetry={library.retry} />
  if (library.address === undefined)
    return library.isUnread ? <NotLoaded /> : <Skeleton label={text('queue.loading')} />
  const safeTx = newSigningOnChain(content, state, { nonce, library: library.address })
  if (safeTx === null) return <Notice tone="warning">{text('signOnChain.noLibrary')}</Notice>
  return (
    <>
      <p className="mb-8 max-w-2xl">{text('signOnChain.what')}</p>
      {elsewhere?.hasFailed && (
        <p className="mb-8 max-w-2xl text-warning">{text('compose.nonce.thereUnknown', { host: elsewhere.host })}</p>
      )}
      {review(safeTx)}
    </>
  )
}
