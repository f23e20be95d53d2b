import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  askToConnect,
  beginReconnecting,
  disconnectWallet,
  dropConnection,
  endReconnecting,
  readConnection,
  showWaiting,
  takeConnection,
} from './connection.ts'
import type { Connector, WalletChange } from './connector.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function createConnector(id: string) {
  const listeners = new Set<(change: WalletChange) => void>()
  const connector: Connector = {
    id,
    name: id,
    asksIn: 'extension',
    connect: async () => ({ accounts: [anna], chainId: 1 }),
    reconnect: async () => null,
    disconnect: vi.fn(async () => {}),
    getProvider: () => ({ request: async () => null }),
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const tell = (change: WalletChange) => {
    for (const listener of listeners) listener(change)
  }
  return { connector, tell, listeners }
}

afterEach(() => {
  showWaiting(false)
  disconnectWallet()
})

describe('takeConnection', () => {
  test('default: the page is connected, and follows account and chain', () => {
    const { connector, tell } = createConnector('fox')
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    expect(readConnection()).toEqual({ status: 'connected', address: anna, chainId: 1, connector })
    tell({ accounts: [bruno] })
    tell({ chainId: 42 })
    expect(readConnection()).toMatchObject({ address: bruno, chainId: 42 })
    tell('disconnected')
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })

  test('behavior: a wallet that is unlocked is connected again, unless it was disconnected here', async () => {
    const { connector, tell, listeners } = createConnector('fox')
    const fox = { ...connector, reconnect: async () => ({ accounts: [bruno], chainId: 1 }) as const }
    takeConnection(fox, { accounts: [anna], chainId: 1 })
    tell('disconnected')
    expect(readConnection()).toEqual({ status: 'disconnected' })
    tell({ accounts: [bruno] })
    await vi.waitFor(() => expect(readConnection()).toMatchObject({ status: 'connected', address: bruno }))
    expect(listeners.size).toBe(1)
    tell('disconnected')
    dropConnection('fox')
    expect(listeners.size).toBe(0)
  })

  test('behavior: a second wallet takes the place of the first, which is told and no longer heard', async () => {
    const fox = createConnector('fox')
    const owl = createConnector('owl')
    takeConnection(fox.connector, { accounts: [anna], chainId: 1 })
    takeConnection(owl.connector, { accounts: [bruno], chainId: 1 })
    await vi.waitFor(() => expect(fox.connector.disconnect).toHaveBeenCalledOnce())
    expect(fox.listeners.size).toBe(0)
    expect(readConnection()).toMatchObject({ address: bruno, connector: owl.connector })
  })

  test('behavior: the same wallet again is heard once', () => {
    const { connector, listeners } = createConnector('fox')
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    expect(listeners.size).toBe(1)
    expect(connector.disconnect).not.toHaveBeenCalled()
  })

  test('error: WALLET_LOCKED without an account, WALLET_FAILED without a chain; nothing is connected', () => {
    const { connector } = createConnector('fox')
    expect(() => takeConnection(connector, { accounts: [], chainId: 1 })).toThrow(
      expect.objectContaining({ code: 'WALLET_LOCKED' }),
    )
    expect(() => takeConnection(connector, { accounts: [anna], chainId: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'WALLET_FAILED' }),
    )
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })
})

describe('askToConnect', () => {
  test('behavior: a wallet that is connected is not asked; one that is gone is not available', async () => {
    const { connector } = createConnector('fox')
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    expect(await askToConnect(connector)).toBeNull()
    const gone = { ...createConnector('owl').connector, getProvider: () => undefined }
    await expect(askToConnect(gone)).rejects.toMatchObject({ code: 'WALLET_NOT_AVAILABLE' })
  })

  test('behavior: a locked wallet that is asked connects by its answer alone, not by what it tells later', async () => {
    const { connector, tell } = createConnector('fox')
    const reconnect = vi.fn(async () => ({ accounts: [anna], chainId: 1 }) as const)
    const fox = { ...connector, reconnect }
    takeConnection(fox, { accounts: [anna], chainId: 1 })
    tell('disconnected')
    await askToConnect(fox)
    tell({ accounts: [anna] })
    expect(reconnect).not.toHaveBeenCalled()
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })

  test('behavior: asking changes nothing', async () => {
    const { connector } = createConnector('fox')
    expect(await askToConnect(connector)).toEqual({ accounts: [anna], chainId: 1 })
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })
})

describe('what is waited for', () => {
  test('behavior: what is connected is so again when nobody waits any more', () => {
    const { connector } = createConnector('fox')
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    showWaiting(true)
    expect(readConnection()).toEqual({ status: 'connecting' })
    showWaiting(false)
    expect(readConnection()).toMatchObject({ status: 'connected', connector })
  })

  test('behavior: reconnecting begins only where nothing is connected or waited for, and ends as disconnected', () => {
    expect(beginReconnecting()).toBe(true)
    expect(beginReconnecting()).toBe(false)
    expect(readConnection()).toEqual({ status: 'reconnecting' })
    showWaiting(true)
    endReconnecting()
    expect(readConnection()).toEqual({ status: 'connecting' })
    showWaiting(false)
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })
})

describe('disconnecting', () => {
  test('behavior: another tab has disconnected this wallet: it is dropped and not told again', () => {
    const { connector, listeners } = createConnector('fox')
    takeConnection(connector, { accounts: [anna], chainId: 1 })
    dropConnection('owl')
    expect(readConnection().status).toBe('connected')
    dropConnection('fox')
    expect(readConnection()).toEqual({ status: 'disconnected' })
    expect(listeners.size).toBe(0)
    expect(connector.disconnect).not.toHaveBeenCalled()
  })

  test('behavior: a wallet that fails while it is told is disconnected all the same', () => {
    const { connector } = createConnector('fox')
    takeConnection(
      { ...connector, disconnect: () => Promise.reject(new Error('gone')) },
      { accounts: [anna], chainId: 1 },
    )
    disconnectWallet()
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })
})
