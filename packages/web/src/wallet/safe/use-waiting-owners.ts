import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConfiguration } from '../../api/configuration.ts'
import { useConnection } from '../connectors/connection.ts'
import { openWalletDialog, useWalletDialog } from '../dialog/dialog-state.ts'
import { useSession } from '../session/session.ts'
import { isSafeWallet } from './frame.ts'

const ASKED_AGAIN_SECONDS = [0, 2, 5, 15, 30, 60]

/** Shows a wait of an earlier visit again after a reload, and goes on with it behind a closed dialog. */
export function useWaitingOwners(): void {
  const queryClient = useQueryClient()
  const { safeHosts } = useConfiguration()
  const { address, chainId, connector } = useConnection()
  const { status } = useSession()
  const { isOpen } = useWalletDialog()
  const wasShown = useRef(false)
  const connectorId = isSafeWallet(connector?.id) ? connector?.id : undefined

  useEffect(() => {
    // A wait that begins in the dialog has been shown.
    if (isOpen) wasShown.current = true
    if (!connectorId || !address || !chainId || status !== 'unauthenticated' || isOpen) return
    const ending = new AbortController()
    const target = { connectorId, account: address, chainId }
    const look = async () => {
      const { collectInBackground, findWaiting } = await import('./collect-in-background.ts')
      const waiting = await untilAnswered(() => findWaiting(target, ending.signal), ending.signal)
      if (!waiting || ending.signal.aborted) return
      if (wasShown.current) await collectInBackground(target, waiting, { safeHosts, queryClient }, ending.signal)
      else openWalletDialog()
    }
    // Without the program for it the dialog finds what waits, as soon as it is opened.
    look().catch(() => {})
    return () => ending.abort()
  }, [connectorId, address, chainId, status, isOpen, safeHosts, queryClient])
}

/** A server that is away for a while must not make the page forget what is waited for. Undefined: it did not come back. */
async function untilAnswered<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (const seconds of ASKED_AGAIN_SECONDS) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    if (signal.aborted) break
    try {
      return await ask()
    } catch {
      // Once more, a little later.
    }
  }
  return undefined
}
