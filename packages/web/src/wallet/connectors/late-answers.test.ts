import { afterEach, describe, expect, test } from 'vitest'
import { askAgain, askToConnect, disconnectWallet, readConnection, takeConnection } from './connection.ts'
import { injectedConnector } from './connector.ts'
import { tameProvider } from './tame-provider.ts'

const [a0, a1, a2] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const

type Asked = { method: string; resolve: (answer: unknown) => void; reject: (error: Error) => void }

/** A wallet that answers when the test tells it to, in any order. */
function createScripted() {
  const open: Asked[] = []
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const foreign = {
    request: ({ method }: { method: string }) =>
      method === 'wallet_revokePermissions'
        ? Promise.resolve(null)
        : new Promise((resolve, reject) => open.push({ method, resolve, reject })),
    on: (event: string, listener: (value: unknown) => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (value: unknown) => void) => void listeners.get(event)?.delete(listener),
  }
  const tame = tameProvider(foreign, 'Fox')
  return {
    open,
    connector: injectedConnector({ id: 'fox', name: 'Fox', provider: () => tame, offersAccounts: false }),
    /** Answers the `nth` open question of this method, if there is one. */
    answer: async (method: string, answer: unknown, nth = 0) => {
      await settled()
      const asked = open.filter((question) => question.method === method)[nth]
      if (!asked) return
      open.splice(open.indexOf(asked), 1)
      if (answer instanceof Error) asked.reject(answer)
      else asked.resolve(answer)
      await settled()
    },
    tell: (event: string, value: unknown) => {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(value)
    },
  }
}

/** Waits until pending promises have continued. */
async function settled(): Promise<void> {
  for (let steps = 0; steps < 20; steps++) await Promise.resolve()
}

type Wallet = ReturnType<typeof createScripted>
type Step = (wallet: Wallet) => unknown

const accounts =
  (...told: string[]): Step =>
  ({ tell }) =>
    tell('accountsChanged', told)
const chain =
  (chainId: string): Step =>
  ({ tell }) =>
    tell('chainChanged', chainId)
const lost: Step = ({ tell }) => tell('disconnect', { code: 1013 })
const answer =
  (method: string, value: unknown, nth = 0): Step =>
  (wallet) =>
    wallet.answer(method, value, nth)
const saysAccounts = (value: string[], nth = 0) => answer('eth_accounts', value, nth)
const saysChain = (value: string, nth = 0) => answer('eth_chainId', value, nth)

/** Answers all open requests with the previous account and chain. */
async function answerAll(wallet: Wallet): Promise<void> {
  await settled()
  for (let asked = wallet.open[0]; asked; asked = wallet.open[0])
    await wallet.answer(asked.method, asked.method === 'eth_chainId' ? '0x1' : [a0])
}

afterEach(() => {
  disconnectWallet()
})

describe('a connected wallet', () => {
  const shown = (address: string, chainId = 1) => ({ status: 'connected', address, chainId })
  const off = { status: 'disconnected' }

  test.each<[name: string, steps: Step[], outcome: object]>([
    [
      'locked, then two accounts, the late answers in their order',
      [accounts(), accounts(a1), accounts(a0), saysAccounts([a1]), saysChain('0x1'), saysAccounts([a0])],
      shown(a0),
    ],
    ['locked and switched at once', [accounts(), accounts(a1)], shown(a1)],
    [
      'locked and switched, the late answer is of the account before',
      [accounts(), accounts(a1), saysAccounts([a0]), saysChain('0x1')],
      shown(a1),
    ],
    [
      'the answer to the first of two looks comes last',
      [accounts(), accounts(a1), accounts(a2), saysAccounts([a2], 1), saysAccounts([a1]), saysChain('0x1')],
      shown(a2),
    ],
    ['locked again while it is asked', [accounts(), accounts(a1), saysAccounts([a1]), accounts()], off],
    ['locked again, then its chain is told late', [accounts(), accounts(a1), accounts(), saysAccounts([a1])], off],
    ['switched while its chain is asked', [accounts(), accounts(a1), saysAccounts([a1]), accounts(a2)], shown(a2)],
    [
      'the chain changes while the old one is on its way',
      [accounts(), accounts(a1), saysAccounts([a1]), chain('0x2a'), saysChain('0x1')],
      shown(a1, 42),
    ],
    [
      'the chain changes while it is locked',
      [accounts(), chain('0x2a'), accounts(a1), saysAccounts([a1], 1), saysChain('0x2a')],
      shown(a1, 42),
    ],
    [
      'the chain changes while it is locked, and back without a word',
      [accounts(), chain('0x5'), accounts(a1), saysAccounts([a1], 1), saysChain('0x1')],
      shown(a1, 1),
    ],
    [
      'refuses to tell its chain once unlocked',
      [accounts(), chain('0x2a'), accounts(a1), answer('eth_accounts', new Error('no'), 1)],
      shown(a1, 42),
    ],
    [
      'the chain that it did not tell of is asked',
      [accounts(), accounts(a1), saysAccounts([a1]), saysChain('0x2a')],
      shown(a1, 42),
    ],
    [
      'unlocked without a word about accounts, as its next chain shows',
      [accounts(), chain('0x2a'), saysAccounts([a1]), saysChain('0x2a')],
      shown(a1, 42),
    ],
    ['cut off for a moment, and switched meanwhile', [lost, accounts(a1), saysAccounts([])], shown(a1)],
    ['cut off for a moment, back with another account', [lost, saysAccounts([a1])], shown(a1)],
    ['cut off twice, the first answer last', [lost, lost, saysAccounts([a0], 1), saysAccounts([])], shown(a0)],
    ['switched there and back', [accounts(a1), accounts(a0)], shown(a0)],
    [
      'refuses to be asked once unlocked',
      [accounts(), accounts(a1), answer('eth_accounts', new Error('no'))],
      shown(a1),
    ],
  ])('behavior: %s', async (_, steps, outcome) => {
    const wallet = createScripted()
    takeConnection(wallet.connector, { accounts: [a0], chainId: 1 })
    for (const step of steps) await step(wallet)
    await answerAll(wallet)
    expect(readConnection()).toMatchObject(outcome)
  })

  test('behavior: shows events after unlocking at once, without asking the wallet first', () => {
    const wallet = createScripted()
    takeConnection(wallet.connector, { accounts: [a0], chainId: 1 })
    wallet.tell('accountsChanged', [])
    wallet.tell('accountsChanged', [a1])
    expect(readConnection()).toMatchObject(shown(a1))
  })

  test('behavior: a late answer after disconnecting here connects nothing', async () => {
    const wallet = createScripted()
    takeConnection(wallet.connector, { accounts: [a0], chainId: 1 })
    wallet.tell('accountsChanged', [])
    wallet.tell('accountsChanged', [a1])
    disconnectWallet()
    await answerAll(wallet)
    expect(readConnection()).toEqual(off)
  })
})

describe('askToConnect', () => {
  const asked = 'eth_requestAccounts'
  test.each<[name: string, steps: Step[], account: string, chainId?: number]>([
    [
      'switched while its chain is asked',
      [answer(asked, [a0]), accounts(a1), saysChain('0x1'), saysAccounts([a1])],
      a1,
    ],
    [
      'its chain changes while the old one is on its way',
      [answer(asked, [a0]), chain('0x2a'), saysChain('0x1')],
      a0,
      42,
    ],
    [
      'switched, then the person picks a third account without a word of it',
      [accounts(a1), answer(asked, [a2]), saysChain('0x1'), saysAccounts([a2])],
      a2,
    ],
    [
      'switched once more while it is asked which of them it is',
      [accounts(a1), answer(asked, [a2]), saysChain('0x1'), accounts(a0)],
      a0,
    ],
    [
      'shows nothing for a moment, then what was picked',
      [accounts(), answer(asked, [a1]), saysChain('0x1'), saysAccounts([a1])],
      a1,
    ],
    ['tells what was picked, and answers it', [accounts(a1), answer(asked, [a1])], a1],
  ])('behavior: %s', async (_, steps, account, chainId = 1) => {
    const wallet = createScripted()
    const connecting = askToConnect(wallet.connector)
    for (const step of steps) await step(wallet)
    await answerAll(wallet)
    const found = await connecting
    if (found) takeConnection(wallet.connector, found)
    expect(readConnection()).toMatchObject({ status: 'connected', address: account, chainId })
  })

  test('behavior: uses the account that the wallet switched to after its answer', async () => {
    const wallet = createScripted()
    const connecting = askToConnect(wallet.connector)
    await answerAll(wallet)
    const found = await connecting
    wallet.tell('accountsChanged', [a1])
    if (found) takeConnection(wallet.connector, found)
    expect(readConnection()).toMatchObject({ address: a1 })
  })
})

describe('askAgain', () => {
  test('behavior: an answer that comes after the wallet was picked, connected and locked connects nothing', async () => {
    const wallet = createScripted()
    const early = askAgain(wallet.connector)
    takeConnection(wallet.connector, { accounts: [a1], chainId: 1 })
    wallet.tell('accountsChanged', [])
    await answerAll(wallet)
    expect(await early).toBeNull()
    expect(readConnection()).toEqual({ status: 'disconnected' })
  })

  test('behavior: of two answers, the answer to the last request counts', async () => {
    const wallet = createScripted()
    const early = askAgain(wallet.connector)
    const late = askAgain(wallet.connector)
    await wallet.answer('eth_accounts', [a1], 1)
    await wallet.answer('eth_chainId', '0x1')
    expect(await late).toMatchObject({ accounts: [a1] })
    await answerAll(wallet)
    expect(await early).toBeNull()
  })
})
