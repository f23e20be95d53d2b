import { Fragment, type ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page-head.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { openWalletDialog } from '../dialog/dialog-state.ts'
import { ConnectionEndedNotice, SessionEndedNotice } from '../dialog/ended-notices.tsx'
import { SignOutButton } from '../dialog/sign-out-button.tsx'
import { useAccountState, useSession } from './session.ts'

/**
 * Shows its children to whoever is signed in. When the session runs out under an open page the children stay, with
 * what was typed into them; they go when somebody else signs in or the person signs out.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const { status, session, ended, error, retry } = useSession()
  const shownFor = session ?? ended?.session
  if (error) return <QueryProblem error={error} onRetry={retry} />
  if (status === 'loading') return <Loading label={text('wallet.require.loading')} />
  if (!shownFor) return <SignInFirst />
  return (
    <>
      <div className="grid gap-4 not-empty:mb-8">
        {!session && ended && (
          <SessionEndedNotice
            end={ended.end}
            isAnnounced
            actions={<Button onClick={openWalletDialog}>{text('wallet.button.verify')}</Button>}
          />
        )}
        <ConnectionEndedNotice actions={<Button onClick={openWalletDialog}>{text('wallet.button.connect')}</Button>} />
        <WrongAccountBanner />
      </div>
      <Fragment key={shownFor.address}>{children}</Fragment>
    </>
  )
}

function SignInFirst() {
  usePageTitle(text('wallet.require.title'))
  return (
    <div className="max-w-xl py-8 sm:py-16">
      <h1 tabIndex={-1} className="mb-4 text-display font-semibold tracking-tight outline-none">
        {text('wallet.require.title')}
      </h1>
      <p className="mb-8 text-lead text-ink-soft">{text('wallet.require.sentence')}</p>
      <Button variant="primary" onClick={openWalletDialog}>
        {text('wallet.require.start')}
      </Button>
    </div>
  )
}

function WrongAccountBanner() {
  const state = useAccountState()
  if (state.status !== 'wrong-account') return null
  return (
    <Notice
      tone="warning"
      isAnnounced
      title={text('wallet.banner.wrongAccount')}
      hint={text('wallet.banner.wrongAccount.hint')}
      actions={
        <>
          <Button variant="primary" onClick={openWalletDialog}>
            {text('wallet.banner.verify')}
          </Button>
          <SignOutButton />
        </>
      }
    >
      <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-small text-ink-soft">{text('wallet.banner.wrongAccount.session')}</dt>
        <dd>
          <Address address={state.session.address} />
        </dd>
        <dt className="text-small text-ink-soft">{text('wallet.banner.wrongAccount.wallet')}</dt>
        <dd>
          <Address address={state.account} />
        </dd>
      </dl>
    </Notice>
  )
}
