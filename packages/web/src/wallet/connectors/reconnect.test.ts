import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { announcedWallets } from './announced-wallets.ts'
import { disconnectWallet, readConnection, takeConnection } from './connection.ts'
import { injectedConnector } from './connector.ts'
import { lastWallet } from './last-wallet.ts'
import { reconnectLastWallet } from './reconnect.ts'
import type { WalletSettings } from './wallets.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const settings: WalletSettings = { chains: [], safeHosts: [], hasCoinbase: false, walletConnect: null }

// A page that no other holds, and what a browser has of events.
const page = new EventTarget()
vi.stubGlobal('window', Object.assign(page, { parent: page }))

let count = 0

/** Announces a wallet (EIP-6963) that was connected at the last visit. It is asked for its accounts, and says nothing yet. */
function announceSilent() {
  const rdns = `wallet.number${++count}`
  let answer: (accounts: readonly string[]) => void = () => {}
  let refuse: (reason: Error) => void = () => {}
  const silence = new Promise<readonly string[]>((resolve, reject) => {
    answer = resolve
    refuse = reject
  })
  const request = async ({ method }: { method: string }) =>
    method === 'eth_accounts' ? silence : method === 'eth_chainId' ? '0x2a' : null
  const info = { uuid: rdns, rdns, name: rdns, icon: 'data:image/png;base64,' }
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: { request } } }))
  lastWallet.keep(rdns)
  return { rdns, answer, refuse }
}

/** Lets time go by, with all that is due in it. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Loads the page, and waits until it says no longer that it waits for the wallet. */
async function loadPage() {
  const reconnecting = reconnectLastWallet(settings)
  await pass(3_900)
  const before = readConnection().status
  await pass(200)
  await reconnecting
  return before
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  // The page listens from its first look on.
  announcedWallets()
})
afterEach(() => {
  vi.useRealTimers()
  disconnectWallet()
})

describe('reconnectLastWallet', () => {
  test('default: a wallet that answers in time is connected again, nobody being asked', async () => {
    const { answer } = announceSilent()
    const reconnecting = reconnectLastWallet(settings)
    await pass(100)
    expect(readConnection().status).toBe('reconnecting')
    answer([anna])
    await reconnecting
    expect(readConnection()).toMatchObject({ status: 'connected', address: anna, chainId: 42 })
  })

  test('behavior: a wallet that was silent for four seconds is connected by its late answer', async () => {
    const { rdns, answer } = announceSilent()
    expect(await loadPage()).toBe('reconnecting')
    expect(readConnection().status).toBe('disconnected')
    await pass(60_000)
    answer([bruno])
    await pass(0)
    expect(readConnection()).toMatchObject({ status: 'connected', address: bruno, chainId: 42 })
    expect(readConnection().connector?.id).toBe(rdns)
  })

  test('behavior: a late answer takes no place from a wallet that was picked meanwhile', async () => {
    const { answer } = announceSilent()
    await loadPage()
    const provider = { request: async () => null, on: () => {}, removeListener: () => {} }
    const picked = injectedConnector({ id: 'picked', name: 'Picked', provider: () => provider })
    takeConnection(picked, { accounts: [anna], chainId: 1 })
    answer([bruno])
    await pass(0)
    expect(readConnection()).toMatchObject({ status: 'connected', address: anna, connector: picked })
  })

  test('behavior: nor does it connect a wallet that was disconnected meanwhile, here or in another tab', async () => {
    const { rdns, answer } = announceSilent()
    await loadPage()
    lastWallet.disconnect(rdns)
    answer([anna])
    await pass(0)
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })

  test.each([
    ['shows no account', (wallet: ReturnType<typeof announceSilent>) => wallet.answer([])],
    ['refuses', (wallet: ReturnType<typeof announceSilent>) => wallet.refuse(new Error('locked'))],
  ])('behavior: a late answer that %s changes nothing', async (_, say) => {
    const wallet = announceSilent()
    await loadPage()
    say(wallet)
    await pass(2_000)
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })
})
