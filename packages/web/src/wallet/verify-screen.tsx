import { prepareSignIn, signIn } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Hex, stringToHex } from 'viem'
import { type Connector, useConfig, useConnection } from 'wagmi'
import { api } from '../api/client.ts'
import { type TextKey, text } from '../text/text.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { disconnectWallet } from './connectors.ts'
import { closeWalletDialog } from './dialog-state.ts'
import { ChangeAccount } from './profile-screen.tsx'
import { beginSession, useSession } from './session.ts'
import { createSignInFlow, type SignInStage, type SignInState } from './sign-in-machine.ts'
import { withProvider } from './signer.ts'
import type { WalletConfig } from './wallet-config.ts'

const stages: SignInStage[] = ['preparing', 'waiting', 'verifying']
const stageNames = {
  preparing: 'wallet.verify.stage.preparing',
  waiting: 'wallet.verify.stage.waiting',
  verifying: 'wallet.verify.stage.verifying',
} as const satisfies Record<SignInStage, TextKey>
const stageErrors = {
  preparing: 'wallet.verify.error.preparing',
  waiting: 'wallet.verify.error.waiting',
  verifying: 'wallet.verify.error.verifying',
} as const satisfies Record<SignInStage, TextKey>

export function VerifyScreen() {
  const { address, chainId, connector } = useConnection()
  if (!address || !chainId || !connector) return null
  // Another account, chain or wallet is another attempt: the key makes React drop the old one.
  return (
    <Verification
      key={`${connector.uid} ${address} ${chainId}`}
      connector={connector}
      account={address}
      chainId={chainId}
    />
  )
}

function Verification({ connector, account, chainId }: { connector: Connector; account: Hex; chainId: number }) {
  const config = useConfig() as WalletConfig
  const { session, expiredSession, signOut } = useSession()
  const { flow, state } = useSignIn(connector, account, chainId)
  const [error, setError] = useState<unknown>()
  const wallet = connector.name

  return (
    <div className="grid gap-5">
      {expiredSession && (
        <Notice tone="warning" title={text('wallet.verify.expired')}>
          {text('wallet.verify.expired.sentence')}
        </Notice>
      )}
      {session && (
        <Notice
          tone="warning"
          title={text('wallet.banner.wrongAccount')}
          actions={<Button onClick={() => void signOut()}>{text('wallet.profile.signOut')}</Button>}
        >
          {text('wallet.banner.wrongAccount.session')} <Address address={session.address} />
        </Notice>
      )}
      <p className="text-ink-soft">{text('wallet.verify.about')}</p>
      <Address address={account} />
      <Stages state={state} />
      <div aria-live="polite" className="empty:hidden">
        {state.status === 'ready' && state.isRejected && (
          <Notice title={text('wallet.verify.rejected')}>{text('wallet.verify.rejected.sentence', { wallet })}</Notice>
        )}
      </div>
      {state.status === 'failed' && <Failure state={state} wallet={wallet} onRetry={flow.retry} />}
      {(state.status === 'ready' || state.status === 'waiting') && (
        <details className="border-y border-rule">
          <summary className="min-h-11 py-2.5 text-small font-semibold">{text('wallet.verify.message')}</summary>
          <pre className="figures pb-3 text-small whitespace-pre-wrap wrap-anywhere" data-sign-in-message>
            {state.message}
          </pre>
        </details>
      )}
      {error !== undefined && <Problem error={error} />}
      <div className="grid gap-2">
        {state.status !== 'failed' && (
          <Button variant="primary" isWide busy={busyText(state)} onClick={flow.sign}>
            {text('wallet.verify.sign')}
          </Button>
        )}
        <ChangeAccount connector={connector} onError={setError} />
        <Button variant="quiet" isWide onClick={() => void disconnectWallet(config)}>
          {text('wallet.profile.disconnect')}
        </Button>
      </div>
    </div>
  )
}

function useSignIn(connector: Connector, account: Hex, chainId: number) {
  const queryClient = useQueryClient()
  const [flow] = useState(() =>
    createSignInFlow({
      prepare: (target, signal) => api(prepareSignIn, { address: target.account, chainId: target.chainId }, signal),
      sign: (target, message) =>
        withProvider(connector, async (provider) => {
          const signature = await provider.request({
            method: 'personal_sign',
            params: [stringToHex(message), target.account],
          })
          if (typeof signature !== 'string' || !signature.startsWith('0x'))
            throw new CountersignError(
              'WALLET_FAILED',
              text('wallet.error.failed', { wallet: connector.name, answer: String(signature) }),
            )
          return signature as Hex
        }),
      verify: async (input, signal) => {
        const { session } = await api(signIn, input, signal)
        if (signal.aborted) return
        beginSession(queryClient, session)
        closeWalletDialog()
      },
      now: Date.now,
    }),
  )
  useEffect(() => {
    flow.start({ connectorUid: connector.uid, account, chainId })
    return flow.stop
  }, [flow, connector.uid, account, chainId])
  const state = useSyncExternalStore(flow.subscribe, flow.getState)
  return { flow, state }
}

function busyText({ status }: SignInState): string | undefined {
  switch (status) {
    case 'idle':
    case 'preparing':
      return text('wallet.verify.stage.preparing')
    case 'waiting':
      return text('wallet.verify.stage.waiting')
    case 'verifying':
    case 'signed-in':
      return text('wallet.verify.stage.verifying')
    default:
      return undefined
  }
}

function Stages({ state }: { state: SignInState }) {
  const stage = state.status === 'failed' ? state.stage : state.status === 'ready' ? 'waiting' : state.status
  const current = (stages as string[]).indexOf(stage)
  return (
    <ol data-sign-in-stage={state.status} className="border-t border-rule">
      {stages.map((one, index) => {
        const isDone = index < current
        const isFailed = index === current && state.status === 'failed'
        const isCurrent = index === current && state.status !== 'ready'
        return (
          <li
            key={one}
            aria-current={index === current ? 'step' : undefined}
            className={`flex items-center gap-3 border-b border-rule py-2 text-small ${index === current ? 'font-semibold' : 'text-ink-faint'} ${isFailed ? 'text-danger' : ''}`}
          >
            <span className="figures w-4">{index + 1}</span>
            <span className="flex-1">
              {isDone
                ? text('wallet.verify.stage.done', { stage: text(stageNames[one]) })
                : isFailed
                  ? text('wallet.verify.stage.failed', { stage: text(stageNames[one]) })
                  : text(stageNames[one])}
            </span>
            {isCurrent && !isFailed && <span aria-hidden className="breathing size-2 rounded-full bg-accent" />}
          </li>
        )
      })}
    </ol>
  )
}

function Failure({
  state,
  wallet,
  onRetry,
}: {
  state: Extract<SignInState, { status: 'failed' }>
  wallet: string
  onRetry: () => void
}) {
  const isBusy = state.error instanceof CountersignError && state.error.code === 'WALLET_BUSY'
  if (isBusy)
    return (
      <Notice
        isAnnounced
        title={text('wallet.connect.busy', { wallet })}
        actions={<Button onClick={onRetry}>{text('wallet.verify.retry')}</Button>}
      >
        {text('wallet.connect.busy.sentence')}
      </Notice>
    )
  return (
    <div className="grid gap-2">
      <p role="alert" className="font-semibold text-danger">
        {text(stageErrors[state.stage])}
      </p>
      <Problem error={state.error} onRetry={onRetry} retryLabel={text('wallet.verify.retry')} />
    </div>
  )
}
