import { CountersignError } from '@countersign/safe-core'
import type { Address } from 'viem'
import { type Connector, useConnection as useWagmiConnection } from 'wagmi'
import { text } from '../text/text.ts'
import { lastWallet } from './last-wallet.ts'
import { announceDisconnected } from './other-tabs.ts'
import { readAccounts, readChainId } from './read-provider.ts'
import { unreadableChain } from './tame-provider.ts'
import type { WalletConfig } from './wallet-config.ts'

export type Connected = { status: 'connected'; address: Address; chainId: number; connector: Connector }
export type NotConnected = {
  status: 'disconnected' | 'connecting' | 'reconnecting'
  address?: undefined
  chainId?: undefined
  connector?: undefined
}

/** The wallet's connection. Connected means that there is an account on a chain; a wallet that shows none is not. */
export function useConnection(): Connected | NotConnected {
  const { status, address, chainId, connector } = useWagmiConnection()
  if (status !== 'connected') return { status }
  // The compiler takes it from wagmi that there always is an account.
  if (!address || !chainId || !connector) return { status: 'disconnected' }
  return { status, address, chainId, connector }
}

/** What a wallet says when it is asked to connect. */
export type WalletAnswer = { accounts: readonly Address[]; chainId: number }

/** Asks the wallet, and changes nothing here; null when it is connected already, and so there is nothing to ask. */
export async function askToConnect(config: WalletConfig, connector: Connector): Promise<WalletAnswer | null> {
  if (config.state.status === 'connected' && config.state.current === connector.uid) return null
  if (!(await connector.getProvider()))
    throw new CountersignError('WALLET_NOT_AVAILABLE', text('wallet.error.gone', { wallet: connector.name }))
  // What it tells of itself is no answer: the person may have stopped waiting.
  stopHearing(config, connector)
  return connector.connect()
}

/** Makes what the wallet answered the page's one connection, and remembers it for the next load. */
export function takeConnection(config: WalletConfig, connector: Connector, answer: WalletAnswer): void {
  const [first, ...rest] = readAccounts(answer.accounts) ?? []
  const chainId = readChainId(answer.chainId)
  if (!first) throw new CountersignError('WALLET_LOCKED', text('wallet.error.locked', { wallet: connector.name }))
  if (!chainId) throw unreadableChain(connector.name)
  const others = connectedWallets(config).filter(({ uid }) => uid !== connector.uid)
  // A wallet that took its account back earlier would connect by itself once it shows it again.
  for (const one of knownConnectors(config)) stopHearing(config, one)
  connector.emitter.on('change', config._internal.events.change)
  connector.emitter.on('disconnect', config._internal.events.disconnect)
  config.setState((state) => ({
    ...state,
    connections: new Map([[connector.uid, { accounts: [first, ...rest], chainId, connector }]]),
    current: connector.uid,
    status: 'connected',
  }))
  for (const other of others) leaveWallet(config, other)
  lastWallet.keep(connector.id)
}

/** Shows whether a wallet is waited for; what is connected stays so. */
export function showWaiting(config: WalletConfig, isWaiting: boolean): void {
  if (isWaiting) config.setState((state) => ({ ...state, status: 'connecting' }))
  else if (config.state.status === 'connecting')
    config.setState((state) => ({ ...state, status: state.current ? 'connected' : 'disconnected' }))
}

/** Ends every connection of this page and, of the same wallets, those of this browser's other tabs. */
export function disconnectWallet(config: WalletConfig): void {
  const left = connectedWallets(config)
  showDisconnected(config)
  for (const connector of left) {
    leaveWallet(config, connector)
    lastWallet.disconnect(connector.id)
    announceDisconnected(connector.id)
  }
}

/** Another tab has disconnected the wallet, and has told it so: here it is only no longer used. */
export function dropConnection(config: WalletConfig, walletId: string): void {
  for (const connector of knownConnectors(config)) if (connector.id === walletId) stopHearing(config, connector)
  if (connectedWallets(config).some(({ id }) => id === walletId)) showDisconnected(config)
}

/** Tells the wallet that it is no longer used. It may be gone, or never answer: nobody waits for it. */
export function leaveWallet(config: WalletConfig, connector: Connector): void {
  stopHearing(config, connector)
  void Promise.resolve()
    .then(() => connector.disconnect())
    .catch(() => {})
}

function showDisconnected(config: WalletConfig): void {
  config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
}

/** None is configured, so the compiler takes it that there never is one. */
function knownConnectors(config: WalletConfig): readonly Connector[] {
  return config.connectors
}

function connectedWallets(config: WalletConfig): Connector[] {
  return [...config.state.connections.values()].map(({ connector }) => connector)
}

function stopHearing({ _internal: { events } }: WalletConfig, { emitter }: Connector): void {
  emitter.off('change', events.change)
  emitter.off('disconnect', events.disconnect)
  // wagmi would connect by itself when the account is switched in the wallet later.
  emitter.off('connect', events.connect)
}
