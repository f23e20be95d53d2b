import { isFramed, SAFE_WALLET_ID } from '../safe/frame.ts'
import { subscribeToAnnouncements } from './announced-wallets.ts'
import { askAgain, beginReconnecting, endReconnecting, readConnection, takeConnection } from './connection.ts'
import type { Connector, WalletAnswer } from './connector.ts'
import { currentWallets, loadConnector } from './connectors.ts'
import { lastWallet } from './last-wallet.ts'
import { INJECTED_WALLET_ID, isContested, isFixedWallet, type Wallet, type WalletSettings } from './wallets.ts'

/** So long the page says that it reconnects while the wallet is not there yet. */
const APPEAR_MS = 1_500
/** So long it goes on looking for it, as disconnected: slow extensions announce themselves seconds after the page. */
const APPEAR_LATE_MS = 30_000
const LOOK_MS = 250
/** So long the page says that it waits for the wallet's answer. One that comes later counts as long as nothing else was done. */
const ANSWER_MS = 4_000

/**
 * Connects the Safe that this page is shown in, or else the wallet of last time, and no other: probing each would load
 * each. It has a time limit, since a wallet may hang.
 */
export async function reconnectLastWallet(configuration: WalletSettings): Promise<void> {
  const hasSafe = isFramed() && configuration.safeHosts.length > 0
  if (hasSafe && (await reconnectWallet(configuration, SAFE_WALLET_ID).catch(() => false))) return
  const id = lastWallet.readConnected()
  if (!id) return
  if (await reconnectWallet(configuration, id).catch(() => false)) return
  const find = () => findReady(configuration, id)
  if (!canAppear(id) || find() || !(await appearing(find, APPEAR_LATE_MS))) return
  // The person may have disconnected it meanwhile, here or in another tab.
  if (lastWallet.readConnected() === id) await reconnectWallet(configuration, id)
}

async function reconnectWallet(configuration: WalletSettings, id: string): Promise<boolean> {
  if (!beginReconnecting()) return false
  try {
    const find = () => findReady(configuration, id)
    const wallet = canAppear(id) ? await appearing(find, APPEAR_MS) : find()
    // Two programs under one name: which of them it was cannot be told, so the person picks.
    if (!wallet || isContested(wallet)) return false
    const connector = await loadConnector(wallet)
    const asked = askAgain(connector)
    const answer = await within(ANSWER_MS, asked)
    if (answer === undefined) void takeLate(connector, asked).catch(() => {})
    // The person may have connected another one meanwhile.
    if (!answer || readConnection().status !== 'reconnecting') return false
    takeConnection(connector, answer)
    return true
  } finally {
    endReconnecting()
  }
}

/** The other entries are there from the start, or not at all. */
function canAppear(id: string): boolean {
  return !isFixedWallet(id) || id === INJECTED_WALLET_ID
}

function findReady(configuration: WalletSettings, id: string): Wallet | undefined {
  return currentWallets(configuration).find((wallet) => wallet.id === id && wallet.presence === 'ready')
}

/** Waits for a wallet to announce itself, or to be put at window.ethereum, of which nobody is told. */
function appearing(find: () => Wallet | undefined, timeoutMs: number): Promise<Wallet | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      if (find() || performance.now() >= deadline) {
        clearInterval(timer)
        stop()
        resolve(find())
      }
    }
    const deadline = performance.now() + timeoutMs
    const timer = setInterval(look, LOOK_MS)
    const stop = subscribeToAnnouncements(look)
    look()
  })
}

/** Takes an answer that came late: a busy machine, or an extension that had to start first. Picking a wallet goes before it. */
async function takeLate(connector: Connector, asked: Promise<WalletAnswer | null>): Promise<void> {
  const answer = await asked.catch(() => null)
  const isWanted = lastWallet.readConnected() === connector.id && readConnection().status === 'disconnected'
  if (answer && isWanted) takeConnection(connector, answer)
}

/** Undefined where the time is over first. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
