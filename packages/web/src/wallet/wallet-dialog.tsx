import { lazy, Suspense, useEffect, useState } from 'react'
import { useChain } from '../api/configuration.ts'
import { type TextKey, text, withTexts } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Loading } from '../ui/loading.tsx'
import { Problem } from '../ui/problem.tsx'
import { useConnectFlow } from './connect-flow.ts'
import { closeWalletDialog, type ScreenName, useWalletDialog } from './dialog-state.ts'
import { useConnection } from './providers/connection.ts'
import { useAccountState } from './session.ts'
import { StatusLine } from './status-line.tsx'

/** One dialog, always at the step that comes next. Closing it ends waiting for a wallet, and changes nothing else. */
export function WalletDialog() {
  const { isOpen } = useWalletDialog()
  if (!isOpen) return null
  return <OpenDialog />
}

function OpenDialog() {
  const screen = useScreen()
  const { flow, attempt } = useConnectFlow()
  // Nobody waits behind a closed dialog: what the wallet answers then connects nothing.
  useEffect(() => () => flow.leave(), [flow])
  const waiting = attempt?.status === 'waiting' ? attempt.wallet.waiting : undefined
  return (
    <Dialog
      isOpen
      onClose={closeWalletDialog}
      title={text((screen === 'connect' && waiting?.title) || titles[screen])}
      foot={<StatusLine />}
    >
      <LazyScreen key={screen} screen={screen} />
    </Dialog>
  )
}

const titles = {
  connect: 'wallet.connect.title',
  get: 'wallet.get.title',
  network: 'wallet.network.title',
  verify: 'wallet.verify.title',
  profile: 'wallet.profile.title',
} as const satisfies Record<ScreenName, TextKey>

/** Chooses the next screen, or the one that was asked for where it fits. */
function useScreen(): ScreenName {
  const connection = useConnection()
  const state = useAccountState()
  const chain = useChain(connection.chainId ?? 0)
  const { wanted } = useWalletDialog()
  if (connection.status !== 'connected') return wanted === 'get' ? 'get' : 'connect'
  if (!chain || wanted === 'network') return 'network'
  return state.status === 'verified' || state.status === 'loading' ? 'profile' : 'verify'
}

/** The screens come with the first opening, not with the page. Each try asks for them anew. */
function LazyScreen({ screen }: { screen: ScreenName }) {
  const [attempt, setAttempt] = useState(0)
  return (
    <ErrorBoundary
      key={attempt}
      fallback={(error) => (
        <Problem
          error={error}
          onRetry={() => setAttempt(attempt + 1)}
          actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
        />
      )}
    >
      <Suspense fallback={<Loading label={text('app.loading')} />}>
        <LoadedScreen attempt={attempt} screen={screen} />
      </Suspense>
    </ErrorBoundary>
  )
}

function loadScreens() {
  return lazy(async () => {
    const { WalletScreen } = await withTexts(() => import('./wallet-screens.tsx'), 'wallet-dialog', 'errors')
    return { default: WalletScreen }
  })
}

let screens = { attempt: 0, Screen: loadScreens() }

function LoadedScreen({ attempt, screen }: { attempt: number; screen: ScreenName }) {
  if (attempt > screens.attempt) screens = { attempt, Screen: loadScreens() }
  return <screens.Screen screen={screen} />
}
