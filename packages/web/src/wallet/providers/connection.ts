import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Connector, WalletAnswer, WalletChange } from './connector.ts'
import { lastWallet } from './last-wallet.ts'
import { announceDisconnected } from './other-tabs.ts'
import { parseAccounts, parseChainId } from './provider-values.ts'
import { unreadableChain } from './tame-provider.ts'

export type Connected = { status: 'connected'; address: Address; chainId: number; connector: Connector }
export type NotConnected = {
  status: 'disconnected' | 'connecting' | 'reconnecting'
  address?: undefined
  chainId?: undefined
  connector?: undefined
}

/** There is one connection for the whole page. Connected means that there is an account on a chain. */
let connected: Connected | null = null
let waiting: NotConnected['status'] = 'disconnected'
let shown: Connected | NotConnected = { status: 'disconnected' }
/** The wallet that is listened to: the connected one, or the one that was connected until it was locked. */
let listening: { connector: Connector; stop: () => void } | null = null
const listeners = new Set<() => void>()

function show(next: { connected?: Connected | null; waiting?: NotConnected['status'] }): void {
  if (next.connected !== undefined) connected = next.connected
  waiting = next.waiting ?? 'disconnected'
  // While a wallet is waited for, whatever is connected stays so, and is what requests go to.
  shown = waiting === 'disconnected' ? (connected ?? { status: waiting }) : { status: waiting }
  for (const listener of listeners) listener()
}

/** The wallet's connection now. */
export function readConnection(): Connected | NotConnected {
  return shown
}

/** The wallet's connection; the component is drawn again when it changes. */
export function useConnection(): Connected | NotConnected {
  return useSyncExternalStore(subscribe, readConnection)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks the wallet, and changes nothing here; null when it is connected already, and so there is nothing to ask. */
export async function askToConnect(connector: Connector): Promise<WalletAnswer | null> {
  if (connected?.connector === connector) return null
  if (!connector.getProvider()) throw fail('WALLET_NOT_AVAILABLE', { reason: 'gone', wallet: connector.name })
  // Its own events are no answer: the person may have stopped waiting.
  if (listening?.connector === connector) stopListening()
  return connector.connect()
}

/** Makes what the wallet answered the page's one connection, and remembers it for the next load. */
export function takeConnection(connector: Connector, answer: WalletAnswer): void {
  const [address] = parseAccounts(answer.accounts) ?? []
  const chainId = parseChainId(answer.chainId)
  if (!address) throw fail('WALLET_LOCKED', { wallet: connector.name })
  if (!chainId) throw unreadableChain(connector.name)
  const other = connected?.connector
  stopListening()
  listening = { connector, stop: connector.listen((change) => follow(connector, change)) }
  show({ connected: { status: 'connected', address, chainId, connector } })
  if (other && other !== connector) leaveWallet(other)
  lastWallet.keep(connector.id)
}

function follow(connector: Connector, change: WalletChange): void {
  if (change === 'disconnected') {
    // Still listened to: a wallet that was locked comes back when it is unlocked.
    show({ connected: null, waiting })
    return
  }
  if (!connected) {
    void comeBack(connector)
    return
  }
  const address = change.accounts?.[0] ?? connected.address
  const chainId = parseChainId(change.chainId) ?? connected.chainId
  show({ connected: { ...connected, address, chainId }, waiting })
}

async function comeBack(connector: Connector): Promise<void> {
  const answer = await connector.reconnect().catch(() => null)
  const isWanted = lastWallet.readConnected() === connector.id && shown.status === 'disconnected'
  if (answer && isWanted) takeConnection(connector, answer)
}

/** Shows whether a wallet is waited for; what is connected stays so. */
export function showWaiting(isWaiting: boolean): void {
  if (isWaiting) show({ waiting: 'connecting' })
  else if (waiting === 'connecting') show({})
}

/** Shows that the wallet of last time is looked for, unless something else goes on; answers whether it does. */
export function beginReconnecting(): boolean {
  if (shown.status !== 'disconnected') return false
  show({ waiting: 'reconnecting' })
  return true
}

export function endReconnecting(): void {
  if (waiting === 'reconnecting') show({})
}

/** Ends the connection of this page and, of the same wallet, those of this browser's other tabs. */
export function disconnectWallet(): void {
  const left = listening?.connector
  showDisconnected()
  if (!left) return
  leaveWallet(left)
  lastWallet.disconnect(left.id)
  announceDisconnected(left.id)
}

/** Another tab has disconnected the wallet, and has told it so: here it is only no longer used. */
export function dropConnection(walletId: string): void {
  if (listening?.connector.id === walletId) showDisconnected()
}

/** Tells the wallet that it is no longer used. It may be gone, or never answer: nobody waits for it. */
export function leaveWallet(connector: Connector): void {
  if (listening?.connector === connector) stopListening()
  void Promise.resolve()
    .then(() => connector.disconnect())
    .catch(() => {})
}

function stopListening(): void {
  listening?.stop()
  listening = null
}

function showDisconnected(): void {
  stopListening()
  show({ connected: null, waiting })
}
