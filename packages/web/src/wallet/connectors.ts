import { useSyncExternalStore } from 'react'
import { type Connector, useConfig } from 'wagmi'
import { useConfiguration } from '../api/configuration.ts'
import { announcedWallets, readInjected, subscribeToAnnouncements } from './announced-wallets.ts'
import { lastWallet } from './last-wallet.ts'
import { isFramed } from './safe/frame.ts'
import type { WalletConfig } from './wallet-config.ts'
import { listWallets, type Wallet, type WalletSettings } from './wallets.ts'

export function useWallets(): { wallets: Wallet[]; lastWalletId: string | null; config: WalletConfig } {
  const config = useConfig() as WalletConfig
  const configuration = useConfiguration()
  useSyncExternalStore(subscribeToAnnouncements, announcedWallets)
  const lastWalletId = useSyncExternalStore(() => () => {}, lastWallet.readRecent)
  return { wallets: currentWallets(configuration), lastWalletId, config }
}

export function currentWallets(configuration: WalletSettings): Wallet[] {
  const announced = announcedWallets()
  const injected = readInjected()
  return listWallets({
    configuration,
    isFramed: isFramed(),
    announced,
    // A wallet that announces itself also sits at window.ethereum; it must not appear twice.
    hasInjected: injected !== undefined && !announced.some(({ provider }) => provider === injected),
  })
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
  // wagmi would connect by itself whenever the wallet shows an account, also one that nobody waits for any more.
  connector.emitter.off('connect', config._internal.events.connect)
  config._internal.connectors.setState((all) => [...all, connector])
  return connector
}
