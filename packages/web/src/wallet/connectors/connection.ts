import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Connector, WalletAnswer } from './connector.ts'
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
/**
 * A wallet whose events the page follows from before the first request. An event is newer than the answer to an earlier request.
 * An answer counts only if no later request was made.
 */
type Hearing = {
  connector: Connector
  /** Reported since the wallet was asked or locked. */
  told: { accounts?: readonly Address[]; chainId?: number }
  /** Number of the last request or event. */
  turn: number
  /** Last known chain of the wallet. */
  chainId: number | undefined
  stop: () => void
}

/** Name of the wallet that last ended an open connection. Only WalletConnect reports this. Null after a new connection, or after the person disconnected. */
let disconnectedBy: string | null = null

const hearings = new Map<Connector, Hearing>()
/** The wallet that the page follows: connected, or locked after it was connected. */
let followed: Hearing | null = null
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

/** The connected wallet, even while the page waits for another one. */
export function readConnected(): Connected | null {
  return connected
}

/** The wallet's connection; the component is drawn again when it changes. */
export function useConnection(): Connected | NotConnected {
  return useSyncExternalStore(subscribe, readConnection)
}

/** Returns the name of the wallet that ended the connection. Null if none did. */
export function useWalletThatDisconnected(): string | null {
  return useSyncExternalStore(subscribe, () => disconnectedBy)
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
  if (followed?.connector === connector) followed = null
  const hearing = hear(connector)
  hearing.turn++
  hearing.told = {}
  try {
    return await settle(hearing, await connector.connect())
  } catch (error) {
    if (followed !== hearing) stopHearing(connector)
    throw error
  }
}

/** Reads the wallet's account and chain without asking the person. Also null if a newer event arrived meanwhile. */
export async function askAgain(connector: Connector): Promise<WalletAnswer | null> {
  const hearing = hear(connector)
  const turn = ++hearing.turn
  if (hearing.told.accounts?.length === 0) delete hearing.told.accounts
  // A locked wallet may leave a chain without a word: its answer is newer.
  delete hearing.told.chainId
  const answer = await connector.reconnect()
  return hearing.turn === turn ? answer : null
}

/** Handles a late answer. If the wallet reported another account before it, the wallet is asked for the current one. */
async function settle(hearing: Hearing, answer: WalletAnswer): Promise<WalletAnswer> {
  const { told, connector } = hearing
  if (!told.accounts || told.accounts[0] === answer.accounts[0]) return answer
  hearing.told = {}
  const now = await connector.reconnect().catch(() => null)
  // An event arrived meanwhile and is newer.
  hearing.told = { ...(now ? {} : told), ...hearing.told }
  return now ?? answer
}

/** Makes what the wallet answered the page's one connection, and remembers it for the next load. */
export function takeConnection(connector: Connector, answer: WalletAnswer): void {
  const hearing = hear(connector)
  const { accounts = answer.accounts, chainId: toldChainId = answer.chainId } = hearing.told
  const [address] = parseAccounts(accounts) ?? []
  const chainId = parseChainId(toldChainId)
  if (!address) throw fail('WALLET_LOCKED', { wallet: connector.name })
  if (!chainId) throw unreadableChain(connector.name)
  hearing.turn++
  hearing.told = {}
  hearing.chainId = chainId
  const before = followed?.connector
  const other = connected?.connector
  followed = hearing
  disconnectedBy = null
  show({ connected: { status: 'connected', address, chainId, connector } })
  if (before && before !== connector) stopHearing(before)
  if (other && other !== connector) leaveWallet(other)
  lastWallet.keep(connector.id)
}

function hear(connector: Connector): Hearing {
  const known = hearings.get(connector)
  if (known) return known
  const hearing: Hearing = { connector, told: {}, turn: 0, chainId: undefined, stop: () => {} }
  hearings.set(connector, hearing)
  hearing.stop = connector.listen((change) => {
    const told = typeof change === 'string' ? { accounts: [] } : change
    hearing.told = { ...hearing.told, ...told }
    if (followed === hearing && change === 'ended') disconnectedBy = connector.name
    if (followed === hearing) follow(hearing, told)
  })
  return hearing
}

function follow(hearing: Hearing, { accounts, chainId: told }: Partial<WalletAnswer>): void {
  const { connector } = hearing
  hearing.turn++
  hearing.chainId = parseChainId(told) ?? hearing.chainId
  const { chainId } = hearing
  const [account] = accounts ?? []
  if (accounts && !account) {
    // Still listened to: a wallet that was locked comes back when it is unlocked.
    hearing.told = { accounts }
    show({ connected: null, waiting })
  } else if (connected?.connector === connector)
    show({
      connected: { ...connected, address: account ?? connected.address, chainId: chainId ?? connected.chainId },
      waiting,
    })
  else if (isWanted(connector)) {
    // The account is the reported one. The wallet may not have reported a change of chain while it was locked.
    if (account && chainId) show({ connected: { status: 'connected', address: account, chainId, connector } })
    comeBack(hearing).catch(() => {})
  }
}

/** Asks for changes that the wallet did not report while it was locked. */
async function comeBack(hearing: Hearing): Promise<void> {
  const { connector } = hearing
  const answer = await askAgain(connector)
  if (!answer || followed !== hearing) return
  const isThere = connected?.connector === connector
  if (isThere || isWanted(connector)) takeConnection(connector, answer)
}

function isWanted(connector: Connector): boolean {
  return lastWallet.readConnected() === connector.id && shown.status === 'disconnected'
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
  const left = followed?.connector
  disconnectedBy = null
  showDisconnected()
  if (!left) return
  leaveWallet(left)
  lastWallet.disconnect(left.id)
  announceDisconnected(left.id)
}

/** Another tab has disconnected the wallet, and has told it so: here it is only no longer used. */
export function dropConnection(walletId: string): void {
  if (followed?.connector.id === walletId) showDisconnected()
}

/** Tells the wallet that it is no longer used. It may be gone, or never answer: nobody waits for it. */
export function leaveWallet(connector: Connector): void {
  stopHearing(connector)
  void Promise.resolve()
    .then(() => connector.disconnect())
    .catch(() => {})
}

function stopHearing(connector: Connector): void {
  const hearing = hearings.get(connector)
  hearings.delete(connector)
  if (hearing) hearing.turn++
  hearing?.stop()
  if (followed === hearing) followed = null
}

function showDisconnected(): void {
  if (followed) stopHearing(followed.connector)
  show({ connected: null, waiting })
}
