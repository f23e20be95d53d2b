import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { signInCode, signInNonce } from '../../api/sign-in-link.ts'
import { Notice } from '../../ui/notice.tsx'
import { signInRequestsQuery } from './queries.ts'
import { RefuseSignIn } from './refuse-sign-in.tsx'
import { text } from './text.ts'

/** Says what it means to sign a sign-in as the Safe, and by which code its owner knows whose it is. */
export function SignInNotice({ message, actions }: { message: string; actions?: ReactNode }) {
  return (
    <Notice tone="warning" title={text('messages.signIn.title')} hint={text('messages.signIn.hint')} actions={actions}>
      {text('messages.signIn.code')}{' '}
      <span className="figures font-semibold" data-sign-in-code>
        {signInCode(message)}
      </span>
    </Notice>
  )
}

/** Shows whether a sign-in message is still open. Any owner can refuse an open one, even if enough owners have signed. */
export function SignedSignIn({
  chainId,
  safeAddress,
  message,
  isOpen,
  isOwner,
}: {
  chainId: number
  safeAddress: Address
  message: string
  isOpen: boolean
  isOwner: boolean
}) {
  const { data } = useQuery({ ...signInRequestsQuery(chainId, safeAddress, signInNonce(message)), enabled: isOwner })
  const isWaiting = data && data.requests.length > 0
  if (data && !isWaiting)
    return (
      <Notice isAnnounced title={text('messages.signIn.over')}>
        {text('messages.signIn.over.sentence')}
      </Notice>
    )
  if (isWaiting || isOpen)
    return (
      <SignInNotice
        message={message}
        actions={isWaiting && <RefuseSignIn chainId={chainId} safeAddress={safeAddress} message={message} />}
      />
    )
  return null
}
