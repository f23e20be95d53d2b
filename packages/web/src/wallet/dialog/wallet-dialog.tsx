import { Suspense, useEffect } from 'react'
import { useChain } from '../../api/configuration.ts'
import { useLiveStatus } from '../../api/live/status.ts'
import { type TextKey, text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Loading } from '../../ui/loading.tsx'
import { isMissingPart } from '../../ui/part/missing-part.ts'
import { Problem } from '../../ui/problem.tsx'
import { useConnection } from '../connectors/connection.ts'
import { useAccountState } from '../session/session.ts'
import { useConnectFlow } from './connect-flow.ts'
import { closeWalletDialog, type ScreenName, useWalletDialog } from './dialog-state.ts'
import { walletScreens } from './lazy-screens.ts'
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

/** Screens that load when they are first shown, not with the page. */
function LazyScreen({ screen }: { screen: ScreenName }) {
  const Screen = walletScreens[screen]
  const isOffline = useLiveStatus() === 'offline'
  return (
    <ErrorBoundary
      fallback={(error, reset) => (
        <Problem
          error={error}
          sentence={isMissingPart(error) ? text('app.newVersion') : undefined}
          onRetry={reset}
          actions={<Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>}
        />
      )}
    >
      <Suspense fallback={<Loading label={text(isOffline ? 'app.offline' : 'app.loading')} />}>
        <Screen />
      </Suspense>
    </ErrorBoundary>
  )
}
