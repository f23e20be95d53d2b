import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { SIGN_IN_FRAGMENT, signInCode } from '../../api/sign-in-link.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { signInRequestsQuery } from './queries.ts'
import { RefuseSignIn } from './refuse-sign-in.tsx'
import { text } from './text.ts'

/** Lists for owners who waits in another browser to be signed in as the Safe. */
export function SignInRequests({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { data } = useQuery(signInRequestsQuery(chainId, safeAddress))
  if (!data || data.requests.length === 0) return null
  return (
    <div className="mb-8">
      <Notice tone="warning" title={text('messages.signIn.title')}>
        {/* Before what may be a long list. */}
        <p className="mt-1 text-small text-ink-soft">{text('messages.signIn.hint')}</p>
        <ul aria-label={text('messages.signIn.code')} className="my-2 grid gap-2">
          {data.requests.map(({ message }) => (
            <li key={message} data-sign-in-request className="flex flex-wrap items-center gap-3">
              <span className="figures font-semibold" data-sign-in-code>
                {signInCode(message)}
              </span>
              <ButtonLink
                isCompact
                aria-label={text('messages.signIn.review.code', { code: signInCode(message) })}
                to="/safes/$chainId/$safeAddress/messages/new"
                params={{ chainId, safeAddress }}
                hash={`${SIGN_IN_FRAGMENT}${encodeURIComponent(message)}`}
              >
                {text('messages.signIn.review')}
              </ButtonLink>
              <RefuseSignIn chainId={chainId} safeAddress={safeAddress} message={message} />
            </li>
          ))}
        </ul>
        {data.hasMore && text('messages.signIn.more')}
      </Notice>
    </div>
  )
}
