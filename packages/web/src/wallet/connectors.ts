import { CountersignError } from '@countersign/safe-core'
import { useSyncExternalStore } from 'react'
import { type Connector, useConfig } from 'wagmi'
import { connect, disconnect } from 'wagmi/actions'
import { type Configuration, useConfiguration } from '../api/configuration.ts'
import { text } from '../text/text.ts'
import { announcedWallets, subscribeToAnnouncements } from './announced-wallets.ts'
import { guardedStorage } from './guarded-storage.ts'
import { isFramed, SAFE_WALLET_ID } from './safe/frame.ts'
import type { WalletConfig } from './wallet-config.ts'
import { isFixedWallet, listWallets, type Wallet, type WalletSettings } from './wallets.ts'

const LAST_WALLET = 'countersign.last-wallet'
const CONNECTED_WALLET = 'countersign.connected-wallet'
const ANNOUNCEMENT_MS = 1_500
/** A wallet that has not answered by then is left alone; picking it asks it again. */
const RECONNECT_MS = 4_000

export function useWallets(): { wallets: Wallet[]; lastWalletId: string | null; config: WalletConfig } {
  const config = useConfig() as WalletConfig
  const configuration = useConfiguration()
  useSyncExternalStore(subscribeToAnnouncements, announcedWallets)
  const lastWalletId = useSyncExternalStore(
    () => () => {},
    () => guardedStorage.getItem(LAST_WALLET),
  )
  return { wallets: currentWallets(configuration), lastWalletId, config }
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

let newestPick = 0

/** Connects the wallet, and remembers it for the next load. Of two that answer, the one picked last stays. */
export async function connectWallet(config: WalletConfig, connector: Connector): Promise<void> {
  const pick = ++newestPick
  // The wallet is connected already, in another tab's stead or by its own account: nothing to ask.
  if (config.state.status === 'connected' && config.state.current === connector.uid) return
  if (!(await connector.getProvider()))
    throw new CountersignError('WALLET_NOT_AVAILABLE', text('wallet.error.gone', { wallet: connector.name }))
  await connect(config, { connector })
  const others = [...config.state.connections.values()].filter((one) => one.connector.uid !== connector.uid)
  if (pick !== newestPick && others.length > 0) return disconnect(config, { connector })
  for (const other of others) await disconnect(config, { connector: other.connector })
  guardedStorage.setItem(LAST_WALLET, connector.id)
  guardedStorage.setItem(CONNECTED_WALLET, connector.id)
}

export async function disconnectWallet(config: WalletConfig): Promise<void> {
  guardedStorage.removeItem(CONNECTED_WALLET)
  // Each disconnect moves on to another connection, if there is one: disconnected has to mean disconnected.
  for (const { connector } of [...config.state.connections.values()]) {
    await disconnect(config, { connector })
    // wagmi would connect by itself when the account is switched in the wallet later.
    connector.emitter.off('connect', config._internal.events.connect)
  }
}

/**
 * Connects the Safe that this page is shown in, or else the wallet of last time, and no other: probing each would load
 * each. It has a time limit, since a wallet may hang. Not wagmi's own, which waits for ever and then refuses to try again.
 */
export async function reconnectLastWallet(config: WalletConfig, configuration: Configuration): Promise<void> {
  const hasSafe = isFramed() && configuration.safeHosts.length > 0
  if (hasSafe && (await reconnectWallet(config, configuration, SAFE_WALLET_ID).catch(() => false))) return
  const id = guardedStorage.getItem(CONNECTED_WALLET)
  if (id) await reconnectWallet(config, configuration, id)
}

async function reconnectWallet(config: WalletConfig, configuration: Configuration, id: string): Promise<boolean> {
  // Read anew each time: the person may connect another one meanwhile.
  const isStill = (status: WalletConfig['state']['status']) => config.state.status === status
  if (!isStill('disconnected')) return false
  config.setState((state) => ({ ...state, status: 'reconnecting' }))
  try {
    const find = () => currentWallets(configuration).find((wallet) => wallet.id === id)
    const wallet = find() ?? (isFixedWallet(id) ? undefined : await announcedLater(find))
    // Two programs under one name: which of them it was cannot be told, so the person picks.
    if (wallet?.presence !== 'ready' || wallet.warning?.kind === 'contested') return false
    const connector = await loadConnector(config, wallet)
    const found = await within(RECONNECT_MS, async () =>
      (await connector.isAuthorized()) ? connector.connect({ isReconnecting: true }) : null,
    )
    const [first, ...rest] = found?.accounts ?? []
    if (!found || !first || !isStill('reconnecting')) return false
    connector.emitter.off('connect', config._internal.events.connect)
    connector.emitter.on('change', config._internal.events.change)
    connector.emitter.on('disconnect', config._internal.events.disconnect)
    config.setState((state) => ({
      ...state,
      connections: new Map([[connector.uid, { accounts: [first, ...rest], chainId: found.chainId, connector }]]),
      current: connector.uid,
      status: 'connected',
    }))
    return true
  } finally {
    if (isStill('reconnecting')) config.setState((state) => ({ ...state, status: 'disconnected' }))
  }
}

function announcedLater(find: () => Wallet | undefined): Promise<Wallet | undefined> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      stop()
      resolve(find())
    }
    const timer = setTimeout(settle, ANNOUNCEMENT_MS)
    const stop = subscribeToAnnouncements(() => {
      if (find()) settle()
    })
  })
}

async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  return Promise.race([work(), limit]).finally(() => clearTimeout(timer))
}

function currentWallets(configuration: WalletSettings): Wallet[] {
  const announced = announcedWallets()
  const injected: unknown = Reflect.get(window, 'ethereum')
  return listWallets({
    configuration,
    isFramed: isFramed(),
    announced,
    // A wallet that announces itself also sits at window.ethereum; it must not appear twice.
    hasInjected: injected !== undefined && !announced.some(({ provider }) => provider === injected),
  })
}
