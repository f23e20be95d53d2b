import type { Chain } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { guardedStorage } from '../../../device/guarded-storage.ts'
import type { WalletChange } from '../connector.ts'
import type { Client } from './client.ts'
import { walletConnect } from './connector.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const KEPT = 'countersign.walletconnect'
const settings = { projectId: null, relayUrl: 'wss://relay.example', codeSeconds: 60 }
const chains = [1, 10].map((chainId) => ({ chainId })) as unknown as Chain[]

type Listener = (event: unknown) => void

/** WalletConnect's client with a phone that answers when the test tells it to. */
function createPhone({ accounts = [`eip155:1:${anna}`, `eip155:10:${anna}`, `eip155:1:${bruno}`] } = {}) {
  const methods = ['personal_sign', 'wallet_switchEthereumChain', 'wallet_addEthereumChain']
  const listeners = new Map<string, Listener>()
  const sessions = new Map([['old', { topic: 'old', namespaces: { eip155: { accounts, methods } } }]])
  const open: { method: string; resolve: (answer: unknown) => void; reject: (error: unknown) => void }[] = []
  const ended: string[] = []
  let openRelay = () => {}
  const relayer = {
    connected: true,
    transportOpen: () =>
      new Promise<void>((resolve) => {
        openRelay = () => {
          relayer.connected = true
          resolve()
        }
      }),
  }
  const client = {
    core: { relayer },
    on: (event: string, listener: Listener) => void listeners.set(event, listener),
    session: {
      get keys() {
        return [...sessions.keys()]
      },
      get: (topic: string) => sessions.get(topic),
      getAll: () => [...sessions.values()],
    },
    disconnect: async ({ topic }: { topic: string }) => {
      ended.push(topic)
      sessions.delete(topic)
    },
    request: ({ request: { method } }: { request: { method: string } }) =>
      new Promise((resolve, reject) => open.push({ method, resolve, reject })),
  }
  const tell = (event: string, value: object) => listeners.get(event)?.({ topic: 'old', ...value })
  return {
    client: client as unknown as Client,
    relayer,
    openRelay: () => openRelay(),
    open,
    ended,
    sessions,
    tellChain: (chainId: number) =>
      tell('session_event', { params: { event: { name: 'chainChanged', data: chainId }, chainId: 'eip155:1' } }),
    tellAccount: (account: string) =>
      tell('session_event', { params: { event: { name: 'accountsChanged', data: [account] }, chainId: 'eip155:1' } }),
    approve: (...approved: string[]) => {
      const session = { topic: 'old', namespaces: { eip155: { accounts: approved, methods } } }
      sessions.set('old', session)
      tell('session_update', { params: session })
    },
    end: () => {
      sessions.delete('old')
      tell('session_delete', {})
    },
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

/** Reconnects the phone of the previous session. */
async function comeBack(phone = createPhone()) {
  guardedStorage.setItem(KEPT, JSON.stringify({ topic: 'old', chainId: 1 }))
  const connector = walletConnect(settings, chains, async () => phone.client)
  const changes: WalletChange[] = []
  connector.listen((change) => changes.push(change))
  const answer = await connector.reconnect()
  const ask = (method: string, params: unknown[] = []) => {
    const asked = connector.getProvider()?.request({ method, params }) ?? Promise.reject(new Error('gone'))
    return asked.then(
      (value) => ({ value }),
      (error: { code: string }) => ({ error: error.code }),
    )
  }
  const chainId = async () => (await ask('eth_chainId')) as { value: string }
  return { phone, connector, changes, answer, ask, chainId }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  guardedStorage.removeItem(KEPT)
})

describe('late answers of a phone', () => {
  test('behavior: the chain that the phone reports after switching counts', async () => {
    const { phone, ask, chainId } = await comeBack(createPhone({ accounts: [`eip155:1:${anna}`] }))
    const switching = ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])
    await settled()
    phone.open[0]?.resolve(null)
    await settled()
    phone.tellChain(137)
    phone.approve(`eip155:1:${anna}`, `eip155:10:${anna}`, `eip155:137:${anna}`)
    phone.tellChain(137)
    await vi.advanceTimersByTimeAsync(200)
    expect(await switching).toEqual({ value: null })
    expect(await chainId()).toEqual({ value: '0x89' })
  })

  test('behavior: a phone that reports nothing moves to the approved chain', async () => {
    const { phone, ask, chainId } = await comeBack(createPhone({ accounts: [`eip155:1:${anna}`] }))
    const switching = ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])
    await settled()
    phone.open[0]?.resolve(null)
    await settled()
    phone.approve(`eip155:1:${anna}`, `eip155:10:${anna}`)
    await vi.advanceTimersByTimeAsync(200)
    await switching
    expect(await chainId()).toEqual({ value: '0xa' })
  })

  test.each(['personal_sign', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
    'error: WALLET_NOT_CONNECTED: %s, and the phone ends while the way to it is opened',
    async (method) => {
      const { phone, ask, changes } = await comeBack()
      phone.relayer.connected = false
      const asked = ask(method, [{ chainId: '0x5' }])
      await settled()
      phone.end()
      expect(await asked).toEqual({ error: 'WALLET_NOT_CONNECTED' })
      phone.openRelay()
      await settled()
      expect(phone.open).toEqual([])
      expect(changes).toEqual(['ended'])
    },
  )

  test('error: WALLET_NOT_CONNECTED if it ends during a request; a later signature is dropped', async () => {
    const { phone, ask } = await comeBack()
    const asked = ask('personal_sign', ['0x12', anna])
    await settled()
    phone.end()
    phone.open[0]?.resolve('0x34')
    expect(await asked).toEqual({ error: 'WALLET_NOT_CONNECTED' })
  })

  test('behavior: after disconnecting here while the client starts, the previous phone does not reconnect', async () => {
    const phone = createPhone()
    guardedStorage.setItem(KEPT, JSON.stringify({ topic: 'old', chainId: 1 }))
    let start = () => {}
    const starting = new Promise<Client>((resolve) => {
      start = () => resolve(phone.client)
    })
    const connector = walletConnect(settings, chains, () => starting)
    const restoring = connector.reconnect()
    await connector.disconnect()
    start()
    expect(await restoring).toBeNull()
  })

  test('behavior: an event of another connection changes nothing', async () => {
    const { phone, ask, chainId } = await comeBack()
    phone.sessions.set('new', { topic: 'new', namespaces: { eip155: { accounts: [], methods: [] } } })
    phone.tellAccount(bruno)
    expect(await ask('eth_accounts')).toEqual({ value: [bruno] })
    phone.tellAccount('0x12')
    expect(await ask('eth_accounts')).toEqual({ value: [bruno] })
    expect(await chainId()).toEqual({ value: '0x1' })
  })
})

describe('the name of the wallet on the phone', () => {
  const named = async (name: unknown) => {
    const phone = createPhone()
    const session = phone.sessions.get('old')
    if (session) Object.assign(session, { peer: { metadata: { name } } })
    return (await comeBack(phone)).connector.name
  }

  test.each([
    ['Rainbow', 'Rainbow'],
    ['Fire\u202Efly\u200b Wallet', 'Firefly Wallet'],
    ['', 'WalletConnect'],
    ['\u200b', 'WalletConnect'],
    [undefined, 'WalletConnect'],
    [7, 'WalletConnect'],
    [{ toString: () => 'Rainbow' }, 'WalletConnect'],
    ['Countersign', 'WalletConnect'],
    ['\u0421ounter sign', 'WalletConnect'],
    ['x'.repeat(500), `${'x'.repeat(40)}…`],
  ])('behavior: %s is called %s', async (name, expected) => expect(await named(name)).toBe(expected))

  test('behavior: is kept when the connection ends, and cleared once another phone is paired', async () => {
    const phone = createPhone()
    const session = phone.sessions.get('old')
    if (session) Object.assign(session, { peer: { metadata: { name: 'Rainbow' } } })
    const { connector, changes } = await comeBack(phone)
    phone.end()
    expect([connector.name, changes]).toEqual(['Rainbow', ['ended']])
    expect(connector.asksIn).toBe('phone')
  })
})
