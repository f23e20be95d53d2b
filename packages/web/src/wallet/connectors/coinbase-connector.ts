import type { Chain } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { fail } from '../../text/fail.ts'
import { type Connector, injectedConnector } from './connector.ts'
import { tameProvider } from './tame-provider.ts'

const NAME = 'Coinbase Wallet'
const LOOK_MS = 200
/** The window closes itself after its answer, which may still be being decrypted. */
const GRACE_MS = 300

/**
 * Coinbase Wallet without its extension, in a window of keys.coinbase.com. Nothing but that window is contacted: only
 * its passkey wallet is asked for, and reads go elsewhere.
 */
export async function coinbaseConnector(chains: readonly Chain[]): Promise<Connector> {
  const { createCoinbaseWalletSDK } = await import('@coinbase/wallet-sdk')
  const wallet = createCoinbaseWalletSDK({
    appName: 'Countersign',
    appChainIds: chains.map(({ chainId }) => chainId),
    // The other kind draws its own QR code with inline styles, and talks to a relay.
    preference: { options: 'smartWalletOnly' },
  }).getProvider()
  const request = async (args: { method: string; params?: unknown }): Promise<unknown> => {
    // Asked for at disconnecting; the wallet's own answer would be a window.
    if (args.method === 'wallet_revokePermissions') return wallet.disconnect()
    return whileWindowIsOpen(() => wallet.request({ method: args.method, params: args.params as unknown[] }))
  }
  const provider = {
    request,
    on: wallet.on.bind(wallet),
    removeListener: wallet.removeListener.bind(wallet),
  }
  const tame = tameProvider(provider, NAME)
  return injectedConnector({
    id: 'coinbase',
    name: NAME,
    provider: () => tame,
    asksIn: 'window',
    offersAccounts: false,
  })
}

type Watcher = { onBlocked: () => void; onOpened: (popup: Window) => void }

/** Callers that wait for the wallet now. While there are any, windows are opened through here. */
const watchers = new Set<Watcher>()
let openOfPage: typeof window.open | undefined

function watch(watcher: Watcher): () => void {
  watchers.add(watcher)
  openOfPage ??= window.open
  const open = openOfPage
  window.open = (...args) => {
    const popup = open.apply(window, args)
    for (const watcher of watchers)
      if (popup) watcher.onOpened(popup)
      else watcher.onBlocked()
    return popup ?? closedWindow()
  }
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    window.open = open
    openOfPage = undefined
  }
}

/**
 * Runs a request that may open a window, and ends it when the browser blocks the window or the person closes it. The
 * wallet itself waits for ever then, or puts up a sign of its own beside ours.
 *
 * @throws CountersignError `WALLET_POPUP_BLOCKED`, `WALLET_POPUP_CLOSED`
 */
export async function whileWindowIsOpen<T>(request: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setInterval> | undefined
  let end: (error: CountersignError) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    end = reject
  })
  const endWith = (code: 'WALLET_POPUP_BLOCKED' | 'WALLET_POPUP_CLOSED') => end(fail(code, { wallet: NAME }))
  const stop = watch({
    onBlocked: () => endWith('WALLET_POPUP_BLOCKED'),
    onOpened: (popup) => {
      clearInterval(timer)
      timer = setInterval(() => {
        if (!popup.closed) return
        clearInterval(timer)
        setTimeout(() => endWith('WALLET_POPUP_CLOSED'), GRACE_MS)
      }, LOOK_MS)
    },
  })
  try {
    return await Promise.race([request(), failure])
  } finally {
    stop()
    clearInterval(timer)
  }
}

/** Gives a closed window to a caller that insists on one. */
function closedWindow(): Window {
  return { closed: true, focus: () => {}, close: () => {}, postMessage: () => {} } as unknown as Window
}
