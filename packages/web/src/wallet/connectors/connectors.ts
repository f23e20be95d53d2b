import { useSyncExternalStore } from 'react'
import { useConfiguration } from '../../api/configuration.ts'
import { isFramed } from '../safe/frame.ts'
import { announcedWallets, readInjected, subscribeToAnnouncements } from './announced-wallets.ts'
import type { Connector } from './connector.ts'
import { lastWallet } from './last-wallet.ts'
import { listWallets, type Wallet, type WalletSettings } from './wallets.ts'

export function useWallets(): { wallets: Wallet[]; lastWalletId: string | null } {
  const configuration = useConfiguration()
  useSyncExternalStore(subscribeToAnnouncements, announcedWallets)
  const lastWalletId = useSyncExternalStore(() => () => {}, lastWallet.readRecent)
  return { wallets: currentWallets(configuration), lastWalletId }
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

const loading = new Map<string, Promise<Connector>>()

/** The wallet's connector, made once, so that a wallet picked again is the one that is known already. */
export function loadConnector(wallet: Wallet): Promise<Connector> {
  const known = loading.get(wallet.id)
  if (known) return known
  const loaded = wallet.load()
  loading.set(wallet.id, loaded)
  loaded.catch(() => loading.delete(wallet.id))
  return loaded
}
