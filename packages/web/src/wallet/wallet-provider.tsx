import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useConnection, WagmiContext } from 'wagmi'
import { useConfiguration } from '../api/configuration.ts'
import { followLiveEvents, followSessionOfOtherTabs } from '../api/live.ts'
import { reconnectLastWallet } from './connectors.ts'
import { useWaitingOwners } from './safe/use-waiting-owners.ts'
import { useSession } from './session.ts'
import { StatusLine } from './status-line.tsx'
import { createWalletConfig } from './wallet-config.ts'
import { WalletDialog } from './wallet-dialog.tsx'

/** Wallet, session and live events for everything below. Not wagmi's own provider: it forgets connections when drawn again. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const configuration = useConfiguration()
  const [config] = useState(() => createWalletConfig(configuration.chains))
  const [firstConfiguration] = useState(configuration)
  useEffect(() => {
    // A wallet that fails here is simply not connected; the person can connect it and then sees why.
    reconnectLastWallet(config, firstConfiguration).catch(() => {})
  }, [config, firstConfiguration])
  return (
    <WagmiContext.Provider value={config}>
      <Statuses />
      {children}
      <StatusLine isHidden />
      <WalletDialog />
    </WagmiContext.Provider>
  )
}

/** Puts both statuses on <html>, for styles, scripts and tests; follows events while signed in. */
function Statuses() {
  const queryClient = useQueryClient()
  const connectionStatus = useConnection().status
  const { status, session } = useSession()
  const sessionAddress = session?.address
  useEffect(() => {
    document.documentElement.dataset.connectionStatus = connectionStatus
    document.documentElement.dataset.sessionStatus = status
  }, [connectionStatus, status])
  useEffect(() => followSessionOfOtherTabs(queryClient), [queryClient])
  useWaitingOwners()
  useEffect(() => (sessionAddress ? followLiveEvents(queryClient) : undefined), [queryClient, sessionAddress])
  return null
}
