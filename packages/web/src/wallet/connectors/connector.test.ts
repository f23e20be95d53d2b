import { describe, expect, test, vi } from 'vitest'
import { injectedConnector, type Provider, type WalletChange } from './connector.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const granted = [{ caveats: [{ value: [anna] }] }]

type Answers = Record<string, unknown>

/** A wallet that answers each method by the table; an Error in it is thrown. */
function createWallet(answers: Answers) {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const asked: string[] = []
  const provider: Provider = {
    request: async ({ method }) => {
      asked.push(method)
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer ?? []
    },
    on: (event, listener) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => void listeners.get(event)?.delete(listener),
  }
  return {
    asked,
    provider: () => provider,
    emit: (event: string, value: unknown) => {
      for (const listener of listeners.get(event) ?? []) listener(value)
    },
  }
}

const refusal = (code: number) => Object.assign(new Error('refused'), { code })
const connectorOf = (wallet: ReturnType<typeof createWallet>, offersAccounts = true) =>
  injectedConnector({ id: 'fox', name: 'Fox', provider: wallet.provider, offersAccounts })

describe('injectedConnector', () => {
  test('default: offers the person an account, and answers account and chain', async () => {
    const wallet = createWallet({
      wallet_requestPermissions: granted,
      eth_accounts: [anna, bruno],
      eth_chainId: '0x2a',
    })
    expect(await connectorOf(wallet).connect()).toEqual({ accounts: [anna, bruno], chainId: 42 })
    expect(wallet.asked).toEqual(['wallet_requestPermissions', 'eth_accounts', 'eth_chainId'])
  })

  test('behavior: asks for accounts where the wallet cannot offer them, or is not to', async () => {
    const answers = { wallet_requestPermissions: refusal(4200), eth_requestAccounts: [anna], eth_chainId: '0x1' }
    const wallet = createWallet(answers)
    expect(await connectorOf(wallet).connect()).toEqual({ accounts: [anna], chainId: 1 })
    const plain = createWallet(answers)
    await connectorOf(plain, false).connect()
    expect(plain.asked).toEqual(['eth_requestAccounts', 'eth_chainId'])
  })

  test.each([4001, -32002])('error: %i ends the attempt: the person is not asked a second time', async (code) => {
    const wallet = createWallet({ wallet_requestPermissions: refusal(code) })
    await expect(connectorOf(wallet).connect()).rejects.toMatchObject({ code })
    expect(wallet.asked).toEqual(['wallet_requestPermissions'])
  })

  test('behavior: reconnecting asks nobody, and answers null for a wallet that shows no account', async () => {
    const wallet = createWallet({ eth_accounts: [anna], eth_chainId: '0x1' })
    expect(await connectorOf(wallet).reconnect()).toEqual({ accounts: [anna], chainId: 1 })
    expect(wallet.asked).toEqual(['eth_accounts', 'eth_chainId'])
    expect(await connectorOf(createWallet({})).reconnect()).toBeNull()
  })

  test('behavior: a wallet that is not ready yet is asked again when reconnecting', async () => {
    const answers: Answers = { eth_accounts: refusal(-32603), eth_chainId: '0x1' }
    const wallet = createWallet(answers)
    const found = connectorOf(wallet).reconnect()
    await vi.waitFor(() => expect(wallet.asked).toHaveLength(1))
    answers.eth_accounts = [anna]
    expect(await found).toEqual({ accounts: [anna], chainId: 1 })
  })

  test('behavior: tells of changes until it is told to stop', async () => {
    const answers: Answers = { eth_accounts: [anna] }
    const wallet = createWallet(answers)
    const changes: WalletChange[] = []
    const stop = connectorOf(wallet).listen((change) => changes.push(change))
    wallet.emit('accountsChanged', [bruno])
    wallet.emit('chainChanged', '0x2a')
    // It lost a node and is back: still connected.
    wallet.emit('disconnect', { code: 1013 })
    await vi.waitFor(() => expect(wallet.asked).toEqual(['eth_accounts']))
    wallet.emit('accountsChanged', [])
    await vi.waitFor(() => expect(changes).toEqual([{ accounts: [bruno] }, { chainId: 42 }, 'disconnected']))
    stop()
    wallet.emit('accountsChanged', [anna])
    wallet.emit('disconnect', { code: 4900 })
    expect(changes).toHaveLength(3)
  })

  test('behavior: a wallet that is gone is disconnected without a word', async () => {
    const connector = injectedConnector({ id: 'fox', name: 'Fox', provider: () => undefined })
    expect(connector.getProvider()).toBeUndefined()
    await expect(connector.connect()).rejects.toThrow('Fox is gone')
    expect(await connector.disconnect()).toBeUndefined()
    connector.listen(() => {})()
  })
})
