import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { SIGN_IN_FRAGMENT } from '../../api/sign-in-link.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { signInRequestsQuery } from './queries.ts'
import { SignInNotice } from './sign-in-notice.tsx'
import { text } from './text.ts'

/** Lists for owners who waits in another browser to be signed in as the Safe. */
export function SignInRequests({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { data } = useQuery(signInRequestsQuery(chainId, safeAddress))
  return (
    <div className="grid gap-4 not-empty:mb-8">
      {data?.requests.map(({ message }) => (
        <div key={message} data-sign-in-request>
          <SignInNotice
            message={message}
            actions={
              <ButtonLink
                to="/safes/$chainId/$safeAddress/messages/new"
                params={{ chainId, safeAddress }}
                hash={`${SIGN_IN_FRAGMENT}${encodeURIComponent(message)}`}
              >
                {text('messages.signIn.review')}
              </ButtonLink>
            }
          />
        </div>
      ))}
    </div>
  )
}
