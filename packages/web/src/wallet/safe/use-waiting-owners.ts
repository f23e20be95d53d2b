import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConfiguration } from '../../api/configuration.ts'
import { useConnection } from '../connection.ts'
import { openWalletDialog, useWalletDialog } from '../dialog-state.ts'
import { useSession } from '../session.ts'
import { SAFE_WALLET_ID } from './frame.ts'
import { readWaitingSignIn } from './waiting-sign-in.ts'

/** What an earlier visit left to wait for is shown again after a reload, and waited for behind a closed dialog. */
export function useWaitingOwners(): void {
  const queryClient = useQueryClient()
  const { safeHosts } = useConfiguration()
  const { address, chainId, connector } = useConnection()
  const { status } = useSession()
  const { isOpen } = useWalletDialog()
  const wasShown = useRef(false)
  const connectorUid = connector?.id === SAFE_WALLET_ID ? connector.uid : undefined

  useEffect(() => {
    if (!connectorUid || !address || !chainId || status !== 'unauthenticated' || isOpen) return
    if (!readWaitingSignIn(address, chainId)) {
      // What is begun from now on is begun in the dialog, and so has been shown.
      wasShown.current = true
      return
    }
    if (!wasShown.current) {
      wasShown.current = true
      openWalletDialog()
      return
    }
    const ending = new AbortController()
    const target = { connectorUid, account: address, chainId }
    void import('./collect-in-background.ts').then(({ collectInBackground }) =>
      collectInBackground(target, { safeHosts, queryClient }, ending.signal),
    )
    return () => ending.abort()
  }, [connectorUid, address, chainId, status, isOpen, safeHosts, queryClient])
}
