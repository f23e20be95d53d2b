import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { refuseWrites } from '../api/client.ts'
import { useConfiguration } from '../api/configuration.ts'
import { followLiveEvents } from '../api/live/tabs.ts'
import { followSessionChanges } from '../api/sessions.ts'
import { dropConnection, useConnection } from './connectors/connection.ts'
import { followDisconnected } from './connectors/other-tabs.ts'
import { reconnectLastWallet } from './connectors/reconnect.ts'
import { StatusLine } from './dialog/status-line.tsx'
import { WalletDialog } from './dialog/wallet-dialog.tsx'
import { useWaitingOwners } from './safe/use-waiting-owners.ts'
import { useSession, writeRefusal } from './session/session.ts'

/** Wallet, session and live events for everything below. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const configuration = useConfiguration()
  const [firstConfiguration] = useState(configuration)
  useEffect(() => {
    // A wallet that fails here is simply not connected; the person can connect it and then sees why.
    reconnectLastWallet(firstConfiguration).catch(() => {})
  }, [firstConfiguration])
  useEffect(() => followDisconnected(dropConnection), [])
  return (
    <>
      <Statuses />
      {children}
      <StatusLine isHidden />
      <WalletDialog />
    </>
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
  useEffect(() => {
    // Checked with each write, because the wallet may have switched since the page was drawn.
    refuseWrites(() => writeRefusal(queryClient))
    return () => refuseWrites(null)
  }, [queryClient])
  useEffect(() => followSessionChanges(queryClient), [queryClient])
  useWaitingOwners()
  useEffect(() => (sessionAddress ? followLiveEvents(queryClient) : undefined), [queryClient, sessionAddress])
  return null
}
