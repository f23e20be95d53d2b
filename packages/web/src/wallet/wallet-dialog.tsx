import { lazy, Suspense } from 'react'
import { useConnection } from 'wagmi'
import { useChain } from '../api/configuration.ts'
import { type TextKey, text } from '../text/text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/loading.tsx'
import { closeWalletDialog, useIsWalletDialogOpen } from './dialog-state.ts'
import { useAccountState } from './session.ts'
import type { ScreenName } from './wallet-screens.tsx'

// The screens come with the first opening, not with the page.
const WalletScreen = lazy(async () => ({ default: (await import('./wallet-screens.tsx')).WalletScreen }))

/** One dialog, always at the step that comes next. Closing it changes nothing about connection or session. */
export function WalletDialog() {
  const isOpen = useIsWalletDialogOpen()
  if (!isOpen) return null
  return <OpenDialog />
}

function OpenDialog() {
  const screen = useScreen()
  return (
    <Dialog isOpen onClose={closeWalletDialog} title={text(titles[screen])}>
      <Suspense fallback={<Loading label={text('app.loading')} />}>
        <WalletScreen screen={screen} />
      </Suspense>
    </Dialog>
  )
}

const titles = {
  connect: 'wallet.connect.title',
  network: 'wallet.network.title',
  verify: 'wallet.verify.title',
  profile: 'wallet.profile.title',
} as const satisfies Record<ScreenName, TextKey>

function useScreen(): ScreenName {
  const connection = useConnection()
  const state = useAccountState()
  const chain = useChain(connection.chainId ?? 0)
  if (connection.status !== 'connected') return 'connect'
  if (!chain) return 'network'
  return state.status === 'verified' || state.status === 'loading' ? 'profile' : 'verify'
}
