import type { CountersignError } from '@countersign/safe'
import { useSyncExternalStore } from 'react'
import { askToConnect, leaveWallet, showWaiting, takeConnection } from '../connectors/connection.ts'
import type { Connector, WalletAnswer } from '../connectors/connector.ts'
import { loadConnector } from '../connectors/connectors.ts'
import { toWalletError } from '../connectors/wallet-errors.ts'
import type { Wallet } from '../connectors/wallets.ts'

/** Outcome of picking a wallet. */
export type ConnectAttempt = { wallet: Wallet } & (
  | { status: 'opening' }
  | { status: 'waiting'; connector: Connector }
  /** Not installed or not available: nothing was asked. */
  | { status: 'missing' }
  | { status: 'failed'; error: CountersignError }
)

export type ConnectSteps = {
  load: (wallet: Wallet) => Promise<Connector>
  /** Asks the wallet. Its answer connects nothing yet. */
  ask: (connector: Connector) => Promise<WalletAnswer | null>
  take: (connector: Connector, answer: WalletAnswer) => void
  /** The wallet has answered when nobody waited for it any more: it is told so. */
  decline: (connector: Connector) => void
  showWaiting: (isWaiting: boolean) => void
}

/**
 * Connecting without React. One attempt is shown at a time; an answer that belongs to another connects nothing and
 * changes nothing on screen. A wallet that still has a request of ours open is not asked a second time, only waited for
 * again.
 */
export function createConnectFlow(steps: ConnectSteps) {
  let attempt: ConnectAttempt | null = null
  let latest = 0
  const open = new Map<string, Promise<void>>()
  const listeners = new Set<() => void>()

  const show = (next: ConnectAttempt | null) => {
    attempt = next
    steps.showWaiting(next?.status === 'waiting')
    for (const listener of listeners) listener()
  }
  const isAwaited = (wallet: Wallet) => attempt?.status === 'waiting' && attempt.wallet.id === wallet.id
  const askAndTake = async (wallet: Wallet, connector: Connector): Promise<void> => {
    const answer = await steps.ask(connector)
    if (!answer) return
    if (isAwaited(wallet)) steps.take(connector, answer)
    else steps.decline(connector)
  }
  const ask = (wallet: Wallet, connector: Connector): Promise<void> => {
    const asked = open.get(wallet.id)
    if (asked) return asked
    const asking = askAndTake(wallet, connector).finally(() => open.delete(wallet.id))
    open.set(wallet.id, asking)
    return asking
  }

  const pick = async (wallet: Wallet): Promise<void> => {
    const id = ++latest
    const showIfCurrent = (next: ConnectAttempt | null) => {
      if (latest === id) show(next)
    }
    if (wallet.presence !== 'ready') return show({ status: 'missing', wallet })
    show({ status: 'opening', wallet })
    try {
      const connector = await steps.load(wallet)
      if (latest !== id) return
      show({ status: 'waiting', wallet, connector })
      await ask(wallet, connector)
      showIfCurrent(null)
    } catch (error) {
      showIfCurrent({ status: 'failed', wallet, error: toWalletError(error, wallet.name) })
    }
  }

  return {
    getAttempt: () => attempt,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    pick,
    /** Back to the list, and no longer connecting. What the wallet answers later connects nothing. */
    leave: () => {
      latest++
      if (attempt) show(null)
    },
  }
}

type ConnectFlow = ReturnType<typeof createConnectFlow>

const pageFlow = createConnectFlow({
  load: loadConnector,
  ask: askToConnect,
  take: takeConnection,
  decline: leaveWallet,
  showWaiting,
})

/** The flow of this page, and what is picked in it now. */
export function useConnectFlow(): { flow: ConnectFlow; attempt: ConnectAttempt | null } {
  return { flow: pageFlow, attempt: useSyncExternalStore(pageFlow.subscribe, pageFlow.getAttempt) }
}
