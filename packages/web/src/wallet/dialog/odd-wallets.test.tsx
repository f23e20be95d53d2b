import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type FakeBrowser, startBrowser, team } from '../../test/open-page.ts'
import {
  connect,
  dialog,
  entries,
  entry,
  expectAccount,
  expectMessage,
  expectNotice,
  inDialog,
  messages,
  openDialog,
  pick,
  pressDialog,
  verify,
  walletEntry,
} from '../../test/wallet-dialog.ts'

// Objects at window.ethereum, or announced, that are no wallets as EIP-1193 has them.

type Request = (asked: { method: string; params?: unknown }) => unknown

let browser: FakeBrowser
beforeEach(() => {
  browser = startBrowser()
})
afterEach(() => browser.close())

const account = team.anna.address
const metaMask = { name: 'MetaMask', rdns: 'io.metamask' }

/** Announces something as a wallet, to each page that opens. */
function announceDetail(detail: unknown): void {
  browser.eachLoad(() => {
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  })
}

function announce(name: string, request: Request, more: object = {}, rdns = `odd.${name.replace(/\W/g, '-')}`): void {
  const provider = Object.freeze(Object.assign({ request }, more))
  announceDetail(Object.freeze({ info: Object.freeze({ name, rdns, uuid: crypto.randomUUID(), icon: '' }), provider }))
}

const throwing = new Proxy({}, { get: refuse, has: refuse })
function refuse(): never {
  throw new Error('mine')
}

/** Announcements that are none: their parts are missing, of other types, or throw when they are read. */
function announceGarbage(): void {
  const provider = { request: async () => null }
  const info = { name: 'Garbage', rdns: 'odd.garbage', uuid: 'u', icon: '' }
  const getter = Object.defineProperty({ rdns: 'odd.getter', uuid: 'u' }, 'name', { get: refuse })
  for (const detail of [
    undefined,
    null,
    7,
    'text',
    [],
    {},
    throwing,
    { info: throwing, provider },
    { info, provider: throwing },
    { info, provider: null },
    { info, provider: { request: 'no function' } },
    { info: { ...info, name: { toString: refuse }, rdns: 7 }, provider },
    { info: getter, provider },
    { info: { ...info, rdns: 'a'.repeat(100_000) }, provider },
  ])
    announceDetail(detail)
}

function inject(get: () => unknown): void {
  Object.defineProperty(window, 'ethereum', { configurable: true, get })
}

describe('a locked wallet that answers with an empty list', () => {
  test('behavior: with a session the page goes on, and the same account verifies nothing anew', async () => {
    const wallet = await browser.comeBack()
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await wallet.lock()
    wallet.behave('connect', 'empty')
    await openDialog()
    await pick(wallet.name)
    await expectNotice(`${wallet.name} is locked`)
    await browser.open()
    await expectStatus({ connection: 'disconnected', session: 'authenticated' })
    wallet.behave('connect', 'answer')
    await openDialog()
    await pick(wallet.name)
    await inDialog().findByRole('heading', { name: 'Your account' })
  })
})

describe('the list of wallets', () => {
  test('behavior: forty fakes hide neither MetaMask nor the wallet used last, and all can be shown', async () => {
    const owl = browser.install(team.anna.privateKey, { name: 'Owl', rdns: 'test.owl' })
    await browser.open()
    await connect(owl.name)
    await pressDialog('Disconnect')
    for (let index = 0; index < 40; index++) announce(`Fake ${index}`, () => null)
    const late = browser.install(team.bruno.privateKey, { ...metaMask, appears: 'late' })
    await browser.open()
    await openDialog()
    await late.announce()
    await walletEntry('MetaMask')
    const installed = () =>
      [
        ...within(dialog()).getByRole('region', { name: 'Installed' }).querySelectorAll<HTMLElement>('[data-wallet]'),
      ].map(({ dataset }) => dataset.wallet)
    expect(installed().slice(0, 2)).toEqual(['test.owl', 'io.metamask'])
    expect(installed()).toHaveLength(8)
    await pressDialog('Show the other 34')
    expect(installed()).toHaveLength(42)
    await pick('MetaMask')
    await expectAccount(late.address)
  })

  test.each([
    ['evil.cyrillic', '\u041c\u0435ta\u041cask'],
    ['evil.wide', '\uff2detaMask'],
  ])(
    'behavior: %s, whose name is in other letters than those it shows, is marked, the real one is not',
    async (rdns, name) => {
      browser.install(team.anna.privateKey, metaMask)
      announce(name, () => null, {}, rdns)
      await browser.open()
      await openDialog()
      await waitFor(() =>
        expect(entry(rdns)?.textContent).toContain(
          `looks like MetaMask, but this is another program. This one identifies itself as ${rdns}`,
        ),
      )
      expect(entry('io.metamask')?.querySelector('[data-warning]')).toBeNull()
    },
  )

  test.each([
    ['throws', refuse],
    ['is null', () => null],
    ['has no request', () => ({ isMetaMask: true, providers: [null, 7, {}] })],
    ['throws on any property', () => throwing],
  ])('behavior: window.ethereum that %s is no wallet, and the rest is listed', async (_, get) => {
    const wallet = browser.install(team.anna.privateKey)
    inject(get)
    announceGarbage()
    await browser.open()
    await openDialog()
    await walletEntry(wallet.name)
    expect(entry('injected')?.dataset.presence).not.toBe('ready')
    expect(
      entries()
        .map(({ textContent }) => textContent)
        .join(),
    ).not.toContain('Garbage')
    await connect()
    await verify()
  })

  test('behavior: an injected wallet that sits beside garbage connects', async () => {
    inject(() => ({
      providers: [null, 7],
      request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? 31_337 : [account]),
    }))
    announceGarbage()
    await browser.open()
    await openDialog()
    await pick('Browser wallet')
    await expectAccount(account)
    await expectStatus({ connection: 'connected' })
  })
})

/** Answers as a wallet with one account, on a chain that it says in its own way. */
const answering =
  (chainId: unknown): Request =>
  ({ method }) => {
    if (method === 'eth_chainId') return chainId
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.toLowerCase(), account, null]
    throw { code: '4200' }
  }

describe('what a wallet answers', () => {
  test.each([
    ['a number for the chain', answering(31_337), {}],
    ['a decimal text for the chain', answering('31337'), {}],
    ['no way to listen', answering('0x7a69'), { on: 7, removeListener: undefined }],
    ['an error for whoever listens', answering('0x7a69'), { on: refuse, removeListener: refuse }],
  ])('behavior: %s can be read, and connects', async (_, request, more) => {
    announce('Odd', request, more)
    await browser.open()
    await openDialog()
    await pick('Odd')
    await expectAccount(account)
    await inDialog().findByRole('button', { name: 'Sign the message' })
    await pressDialog('Disconnect')
    await expectStatus({ connection: 'disconnected' })
  })

  const withAccount =
    (answer: unknown): Request =>
    ({ method }) =>
      method === 'eth_requestAccounts' ? [account] : answer
  test.each<[string, Request, string]>([
    ['no number for the chain', withAccount(Number.NaN), 'does not say which chain it is on'],
    ['a chain beyond all numbers', withAccount(2 ** 70), 'does not say which chain it is on'],
    ['an odd account', () => ['not an address'], 'without an account that this page can read'],
    ['no list', () => ({ length: 1 }), 'without an account that this page can read'],
    ['an error at once', () => (undefined as never as { on: () => void }).on(), 'failed and did not say why'],
    [
      'nothing thrown',
      () => {
        throw undefined
      },
      'failed and did not say why',
    ],
    ['an object rejected', () => Promise.reject({ toString: null }), 'failed and did not say why'],
    ['a type error', () => Promise.reject(new TypeError('u.on is not a function')), 'did not say why'],
    ['a text rejected', () => Promise.reject('Plug the device in'), 'answered: Plug the device in'],
  ])(
    'behavior: %s is told of in a plain sentence with its code, never in words of the language',
    async (_, request, sentence) => {
      announce('Odd', request)
      await browser.open()
      await openDialog()
      await pick('Odd')
      const { textContent } = await expectMessage(messages.oops)
      expect(textContent).toContain(sentence)
      expect(textContent).toContain('WALLET_FAILED')
      expect(textContent).not.toMatch(/is not a function|undefined|NaN|\[object/)
      await expectStatus({ connection: 'disconnected' })
    },
  )

  test('behavior: a wallet that breaks at the switch of the network says so in plain words', async () => {
    announce('Breaking', ({ method }) => {
      if (method === 'eth_chainId') return 999
      if (/ccounts/.test(method)) return [account]
      throw new TypeError('u.on is not a function')
    })
    await browser.open()
    await openDialog()
    await pick('Breaking')
    await expectMessage(messages.wrongNetworkDetected)
    await pressDialog(/^Switch to /)
    const { textContent } = await expectMessage(messages.oops)
    expect(textContent).toContain('Breaking could not switch to Devnet')
    expect(textContent).toContain('CHAIN_SWITCH_FAILED')
    expect(textContent).not.toContain('is not a function')
  })

  test('behavior: a code that is a text is a code', async () => {
    announce('Textual', () => Promise.reject({ code: '4001' }))
    await browser.open()
    await openDialog()
    await pick('Textual')
    await expectNotice('Request rejected')
  })

  test('behavior: a chain that the wallet tells of in no way that can be read changes nothing on screen', async () => {
    const listeners = new Map<string, (value: unknown) => void>()
    announce('Talker', ({ method }) => (method === 'eth_chainId' ? '0x7a69' : [account]), {
      on: (event: string, listener: (value: unknown) => void) => listeners.set(event, listener),
    })
    const tell = (event: string, value: unknown) => listeners.get(event)?.(value)
    await browser.open()
    await openDialog()
    await pick('Talker')
    await inDialog().findByRole('button', { name: 'Sign the message' })
    for (const value of [Number.NaN, 'NaN', null, {}, 2 ** 70]) tell('chainChanged', value)
    await inDialog().findByRole('button', { name: 'Sign the message' })
    expect(document.body.textContent).not.toContain('NaN')
    tell('chainChanged', 999)
    await expectMessage(messages.wrongNetworkDetected)
    tell('chainChanged', 31_337)
    await inDialog().findByRole('button', { name: 'Sign the message' })
    tell('accountsChanged', ['nobody'])
    await expectStatus({ connection: 'disconnected' })
  })
})

describe('a wallet that takes its time', () => {
  test('behavior: what announces itself late is reconnected, and the page does not wait for it', async () => {
    const wallet = await browser.comeBack(team.anna, { appears: 'late' })
    await browser.open()
    await expectStatus({ connection: 'reconnecting' })
    // It is not kept waiting for a wallet that may have been removed.
    await expectStatus({ connection: 'disconnected' })
    await wallet.announce()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await screen.findByRole('button', { name: /^account 0x/i })
  })

  test('behavior: what sits at window.ethereum late is reconnected too', async () => {
    await browser.comeBack(team.anna, { appears: 'late' })
    for (const key of ['last-wallet', 'connected-wallet']) localStorage.setItem(`countersign.${key}`, 'injected')
    await browser.open()
    await expectStatus({ connection: 'disconnected' })
    Reflect.set(window, 'ethereum', { request: async (asked: { method: string }) => answering('0x7a69')(asked) })
    dispatchEvent(new Event('ethereum#initialized'))
    await expectStatus({ connection: 'connected' })
  })
})

describe('two wallets', () => {
  test('behavior: one that was locked does not take the place of the other when it is unlocked', async () => {
    const wallet = browser.install(team.anna.privateKey)
    const other = browser.install(team.bruno.privateKey, { name: 'Other Wallet', rdns: 'org.countersign.other' })
    await browser.open()
    await connect(wallet.name)
    await wallet.lock()
    await expectStatus({ connection: 'disconnected' })
    await pick(other.name)
    await expectAccount(other.address)
    await wallet.unlock()
    await other.switchChain(999)
    await expectMessage(messages.wrongNetworkDetected)
    await other.switchChain(31_337)
    await expectAccount(other.address)
    expect(dialog().querySelector(`[data-address="${wallet.address}"]`)).toBeNull()
  })
})
