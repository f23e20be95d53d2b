import type { CountersignError } from '@countersign/safe'
import { type ReactNode, Suspense, useState } from 'react'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { WalletWarning } from '../connectors/wallet-warnings.ts'
import type { Wallet } from '../connectors/wallets.ts'
import { LINKED_SAFE_ID, SAFE_WALLET_ID } from '../safe/frame.ts'
import { text } from '../text.ts'
import type { ConnectAttempt, useConnectFlow } from './connect-flow.ts'
import { showScreen } from './dialog-state.ts'
import { WalletIcon } from './wallet-icon.tsx'
import { WarningLine } from './warning-line.tsx'

type Flow = ReturnType<typeof useConnectFlow>['flow']

/** One picked wallet: opening, waiting, declined, busy, missing, failed. From each there is a way on and a way back. */
export function AttemptView({
  attempt,
  warning,
  flow,
  wallets,
}: {
  attempt: ConnectAttempt
  warning: WalletWarning | undefined
  flow: Flow
  wallets: Wallet[]
}) {
  const { wallet } = attempt
  return (
    <div className="grid gap-5" data-connect-attempt={attempt.status}>
      <p className="flex items-center gap-3 text-lead font-semibold wrap-anywhere">
        <WalletIcon icon={wallet.icon} isLarge />
        <span className="min-w-0">
          {wallet.name}
          {warning && <WarningLine warning={warning} />}
        </span>
      </p>
      <AttemptState attempt={attempt} flow={flow} wallets={wallets} />
      <BackButton onClick={flow.leave}>{text('wallet.connect.back')}</BackButton>
    </div>
  )
}

function AttemptState({ attempt, flow, wallets }: { attempt: ConnectAttempt; flow: Flow; wallets: Wallet[] }) {
  const wallet = attempt.wallet.name
  switch (attempt.status) {
    case 'opening':
      return <Loading label={text('wallet.connect.opening', { wallet })} />
    case 'waiting':
      return attempt.wallet.waiting ? (
        <OwnWaitingView
          key={attempt.wallet.id}
          attempt={attempt}
          load={attempt.wallet.waiting.load}
          onBack={flow.leave}
        />
      ) : (
        <div>
          <Loading label={text('wallet.connect.waiting', { wallet })} />
          <p className="text-ink-soft">{text(`wallet.connect.waiting.${attempt.connector.asksIn}`, { wallet })}</p>
        </div>
      )
    case 'missing':
      return <Missing wallet={attempt.wallet} flow={flow} wallets={wallets} />
    case 'failed':
      return <AttemptFailure error={attempt.error} wallet={wallet} onRetry={() => void flow.pick(attempt.wallet)} />
  }
}

function OwnWaitingView({
  attempt,
  load,
  onBack,
}: {
  attempt: Extract<ConnectAttempt, { status: 'waiting' }>
  load: NonNullable<Wallet['waiting']>['load']
  onBack: () => void
}) {
  const [View] = useState(() => lazyPart(async () => (await load()).WaitingView))
  return (
    <Suspense fallback={<Loading label={text('wallet.connect.opening', { wallet: attempt.wallet.name })} />}>
      <View connector={attempt.connector} walletName={attempt.wallet.name} onBack={onBack} />
    </Suspense>
  )
}

/** Not installed, with where to get it; or not available, with why. */
function Missing({ wallet, flow, wallets }: { wallet: Wallet; flow: Flow; wallets: Wallet[] }) {
  const ready = wallets.filter(({ presence }) => presence === 'ready')
  const phone = ready.find(({ id, waiting }) => waiting && id !== LINKED_SAFE_ID)
  const linked = wallet.id === SAFE_WALLET_ID && ready.find(({ id }) => id === LINKED_SAFE_ID)
  if (wallet.presence === 'not-available')
    return (
      <Notice
        isAnnounced
        title={text('wallet.notAvailable', { wallet: wallet.name })}
        actions={linked && <Button onClick={() => void flow.pick(linked)}>{text('wallet.link.title')}</Button>}
      >
        {text(wallet.reason)}
      </Notice>
    )
  return (
    <Notice
      isAnnounced
      title={text('wallet.notInstalled', { wallet: wallet.name })}
      actions={
        <>
          {wallet.installUrl ? (
            <ExternalLink isButton href={wallet.installUrl}>
              {text('wallet.notInstalled.install', { wallet: wallet.name })}
            </ExternalLink>
          ) : (
            <Button
              onClick={() => {
                flow.leave()
                showScreen('get')
              }}
            >
              {text('wallet.get.title')}
            </Button>
          )}
          {phone && <Button onClick={() => void flow.pick(phone)}>{text('wallet.notInstalled.phone')}</Button>}
        </>
      }
    >
      {text('wallet.notInstalled.sentence', { wallet: wallet.name })}
    </Notice>
  )
}

/** Declining and being busy are no failures; a wallet that is gone or cannot be opened says so by its name. */
function AttemptFailure({ error, wallet, onRetry }: { error: CountersignError; wallet: string; onRetry: () => void }) {
  const told = (title: string, sentence: ReactNode) => (
    <Notice isAnnounced title={title} actions={<Button onClick={onRetry}>{text('problem.retry')}</Button>}>
      {sentence}
    </Notice>
  )
  switch (error.code) {
    case 'WALLET_REJECTED':
      return told(text('wallet.connect.rejected'), text('wallet.connect.rejected.sentence', { wallet }))
    case 'WALLET_BUSY':
      return told(text('wallet.connect.busy', { wallet }), text('wallet.connect.busy.sentence'))
    case 'WALLET_POPUP_BLOCKED':
    case 'WALLET_POPUP_CLOSED':
    case 'WALLET_LOCKED':
      return told(
        text(`wallet.connect.${error.code}`, { wallet }),
        text(`wallet.connect.${error.code}.sentence`, { wallet }),
      )
    // The sentences of errors load when there is an error, not with the dialog.
    case 'WALLET_NOT_AVAILABLE':
      return <Problem error={error} title={text('wallet.notAvailable', { wallet })} onRetry={onRetry} />
    default:
      return <Problem error={error} title={text('wallet.oops')} onRetry={onRetry} />
  }
}
