import type { Chain } from '@countersign/contract'
import { useSyncExternalStore } from 'react'
import { type Connector, useConfig, useConnectors } from 'wagmi'
import { connect, disconnect, reconnect } from 'wagmi/actions'
import { useChains } from '../api/configuration.ts'
import { guardedStorage } from './guarded-storage.ts'
import type { WalletConfig } from './wallet-config.ts'
import { isFixedWallet, listWallets, type Wallet } from './wallets.ts'

const LAST_WALLET = 'countersign.last-wallet'
const CONNECTED_WALLET = 'countersign.connected-wallet'
const ANNOUNCEMENT_MS = 1_500

export function useWallets(): { wallets: Wallet[]; lastWalletId: string | null; config: WalletConfig } {
  const config = useConfig() as WalletConfig
  const chains = useChains()
  const connectors = useConnectors()
  const lastWalletId = useSyncExternalStore(
    () => () => {},
    () => guardedStorage.getItem(LAST_WALLET),
  )
  return { wallets: currentWallets(chains, connectors), lastWalletId, config }
}

/**
 * The wallet's connector, made once. wagmi would make a new one at each pick and forget it, and then
 * nothing could be reconnected.
 */
export async function loadConnector(config: WalletConfig, wallet: Wallet): Promise<Connector> {
  const known = config.connectors.find(({ id }) => id === wallet.id)
  if (known) return known
  const loaded = await wallet.load()
  if (typeof loaded !== 'function') return loaded
  const again = config.connectors.find(({ id }) => id === wallet.id)
  if (again) return again
  const connector = config._internal.connectors.setup(loaded)
  config._internal.connectors.setState((all) => [...all, connector])
  return connector
}

/** Connects the wallet, and remembers it for the next load. */
export async function connectWallet(config: WalletConfig, connector: Connector): Promise<void> {
  await connect(config, { connector })
  guardedStorage.setItem(LAST_WALLET, connector.id)
  guardedStorage.setItem(CONNECTED_WALLET, connector.id)
}

export async function disconnectWallet(config: WalletConfig): Promise<void> {
  guardedStorage.removeItem(CONNECTED_WALLET)
  // Each disconnect moves on to another connection, if there is one: disconnected has to mean disconnected.
  for (let left = config.state.connections.size; left > 0; left--) await disconnect(config)
}

/** Connects the wallet of last time again, and no other: probing each would load each, and one that hangs blocks all. */
export async function reconnectLastWallet(config: WalletConfig, chains: Chain[]): Promise<void> {
  const id = guardedStorage.getItem(CONNECTED_WALLET)
  if (!id || config.state.status !== 'disconnected') return
  config.setState((state) => ({ ...state, status: 'reconnecting' }))
  try {
    const find = () => currentWallets(chains, config.connectors).find((wallet) => wallet.id === id)
    const wallet = find() ?? (isFixedWallet(id) ? undefined : await announcedLater(config, find))
    if (!wallet?.isInstalled) return
    const connector = await loadConnector(config, wallet)
    if (!(await connector.isAuthorized())) return
    // With a current connection, even one still to come, wagmi calls its status reconnecting.
    config.setState((state) => ({ ...state, current: connector.uid }))
    await reconnect(config, { connectors: [connector] })
  } finally {
    if (config.state.connections.size === 0)
      config.setState((state) => ({ ...state, status: 'disconnected', current: null }))
  }
}

function announcedLater(config: WalletConfig, find: () => Wallet | undefined): Promise<Wallet | undefined> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      stop()
      resolve(find())
    }
    const timer = setTimeout(settle, ANNOUNCEMENT_MS)
    const stop = config._internal.connectors.subscribe(() => {
      if (find()) settle()
    })
  })
}

function currentWallets(chains: Chain[], connectors: readonly Connector[]): Wallet[] {
  return listWallets({
    chains,
    announced: connectors.filter(({ id }) => !isFixedWallet(id)),
    hasInjected: 'ethereum' in window,
  })
}
