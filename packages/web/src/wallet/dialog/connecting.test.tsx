import { getSession } from '@countersign/contract'
import { waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type FakeBrowser, startBrowser, team } from '../../test/open-page.ts'
import {
  closeDialog,
  connect,
  dialog,
  entries,
  entry,
  expectAccount,
  expectMessage,
  expectNotice,
  findAccount,
  inDialog,
  messages,
  openDialog,
  pick,
  pressDialog,
  verify,
  walletEntry,
} from '../../test/wallet-dialog.ts'

let browser: FakeBrowser
beforeEach(() => {
  browser = startBrowser()
})
afterEach(() => browser.close())

const metaMask = { name: 'MetaMask', rdns: 'io.metamask' }
const other = { name: 'Other Wallet', rdns: 'org.countersign.other' }
const installed = () => within(dialog()).getByRole('region', { name: 'Installed' })
const methodsOf = ({ requests }: { requests: { method: string }[] }) => requests.map(({ method }) => method)

/** Everything that `<html>` says about the two statuses from now on. */
function recordStatuses(): () => string[] {
  const seen = new Set<string>()
  const { dataset } = document.documentElement
  new MutationObserver(() => {
    for (const status of [dataset.connectionStatus, dataset.sessionStatus]) if (status) seen.add(status)
  }).observe(document.documentElement, { attributes: true })
  return () => [...seen].sort()
}

describe('nothing installed', () => {
  test('behavior: the list has the five kinds of wallet and the Demo wallet, and never leaves disconnected', async () => {
    const statuses = recordStatuses()
    const answer = browser.server.hold(getSession)
    await browser.open()
    await waitFor(() => expect(document.documentElement.dataset.sessionStatus).toBe('loading'))
    answer()
    await openDialog()
    await walletEntry('MetaMask')
    expect(
      entries()
        .map(({ dataset }) => dataset.wallet)
        .sort(),
    ).toEqual(['coinbase', 'demo', 'injected', 'metaMask', 'safe', 'walletConnect'])
    expect(inDialog().queryByText('Opening')).toBeNull()
    await expectStatus({ connection: 'disconnected', session: 'unauthenticated' })
    expect(statuses()).toEqual(['disconnected', 'loading', 'unauthenticated'])
  })

  test('behavior: MetaMask that is missing says where it is', async () => {
    await browser.open()
    await openDialog()
    await pick('MetaMask')
    const link = within(await expectMessage(messages.notInstalled('MetaMask'))).getByRole('link')
    expect(link.getAttribute('href')).toBe('https://metamask.io/download')
    expect(link.getAttribute('rel')).toContain('noopener')
    await pressDialog('All wallets')
    await walletEntry('MetaMask')
  })

  test.each(['Safe', 'WalletConnect'])('behavior: %s is not available where nothing is set for it', async (name) => {
    await browser.open()
    await openDialog()
    await pick(name)
    await expectMessage(messages.notAvailable(name))
  })

  test('behavior: without a wallet in the browser, what a wallet is and where there are some', async () => {
    await browser.open()
    await openDialog()
    await pick('Browser wallet')
    await expectMessage(messages.notInstalled('Browser wallet'))
    await pressDialog('Get a wallet')
    await inDialog().findByRole('heading', { name: 'What a wallet is' })
    const links = inDialog().getAllByRole('link')
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      expect(link.getAttribute('rel')).toBe('noopener noreferrer')
      expect(link.getAttribute('target')).toBe('_blank')
    }
    await pressDialog('All wallets')
    await walletEntry('Browser wallet')
  })

  test('behavior: a wallet that is installed while its absence is shown takes its place', async () => {
    const wallet = browser.install(team.anna.privateKey, { ...metaMask, appears: 'late' })
    await browser.open()
    await openDialog()
    await pick('MetaMask')
    await expectMessage(messages.notInstalled('MetaMask'))
    await wallet.announce()
    await pick('MetaMask')
    await expectStatus({ connection: 'connected' })
  })
})

describe('announced wallets', () => {
  test('behavior: two wallets, one of them late, each once, under Installed', async () => {
    browser.install(team.anna.privateKey, metaMask)
    const late = browser.install(team.bruno.privateKey, { ...other, appears: 'late' })
    await browser.open()
    await openDialog()
    await walletEntry('MetaMask')
    expect(installed().querySelectorAll('button[data-wallet]')).toHaveLength(1)
    await late.announce()
    await walletEntry(late.name)
    await late.announce()
    expect([...installed().querySelectorAll<HTMLElement>('button')].map(({ dataset }) => dataset.wallet)).toEqual([
      'io.metamask',
      'org.countersign.other',
    ])
    await pick(late.name)
    await expectAccount(team.bruno.address)
  })

  test('behavior: a stranger that calls itself MetaMask is told apart by what it identifies itself as', async () => {
    browser.install(team.anna.privateKey, metaMask)
    browser.install(team.bruno.privateKey, { name: 'Meta\u200bMask\u202e', rdns: 'evil.fox' })
    await browser.open()
    await openDialog()
    await inDialog().findByText('This one identifies itself as evil.fox', { exact: false })
    expect(entry('evil.fox')?.textContent).toContain('MetaMask')
  })

  test('behavior: two programs under one name are shown as contested until both are asked for', async () => {
    browser.install(team.anna.privateKey, metaMask)
    browser.install(team.bruno.privateKey, metaMask)
    await browser.open()
    await openDialog()
    await inDialog().findByText('2 programs identify themselves as io.metamask', { exact: false })
    await pressDialog('Show all 2')
    await waitFor(() =>
      expect(entries().map(({ dataset }) => dataset.wallet)).toEqual(
        expect.arrayContaining(['io.metamask', 'io.metamask~2']),
      ),
    )
  })

  test.each([
    ['from elsewhere', 'https://evil.example/pixel.png'],
    ['that is a page', 'data:text/html,<script>alert(1)</script>'],
  ])('behavior: a picture %s is not drawn, and a name of 500 letters is cut', async (_, icon) => {
    browser.install(team.bruno.privateKey, { name: `Long ${'x'.repeat(500)}`, rdns: 'evil.long', icon })
    await browser.open()
    await openDialog()
    const found = await walletEntry('Long')
    expect(found.querySelector('[data-wallet-icon="plain"]')).not.toBeNull()
    expect(found.textContent.length).toBeLessThan(60)
    for (const picture of dialog().querySelectorAll('img')) expect(picture.src).toMatch(/^data:image\//)
  })
})

describe('connecting', () => {
  test.each([
    ['locked', 'Scripted Wallet is locked', 'notice'],
    ['empty', 'Scripted Wallet is locked', 'notice'],
    ['reject', 'Request rejected', 'notice'],
    ['gone', messages.notAvailable('Scripted Wallet'), 'message'],
    ['fail', messages.oops, 'message'],
    ['nonsense', messages.oops, 'message'],
  ] as const)(
    'behavior: a wallet that answers as %s is told of as what it is, and Retry goes on',
    async (behaviour, said, kind) => {
      const wallet = browser.install(team.anna.privateKey)
      await browser.open()
      await openDialog()
      wallet.behave('connect', behaviour)
      await pick(wallet.name)
      const notice = await (kind === 'message' ? expectMessage(said) : expectNotice(said))
      if (behaviour === 'reject') expect(notice.textContent).not.toContain('WALLET_')
      await expectStatus({ connection: 'disconnected' })
      wallet.behave('connect', 'answer')
      await pressDialog('Retry')
      await expectStatus({ connection: 'connected' })
    },
  )

  test('behavior: a request that is open in the wallet is not sent a second time', async () => {
    const wallet = browser.install(team.anna.privateKey)
    const asked = () => methodsOf(wallet).filter((method) => /request(Permissions|Accounts)$/.test(method)).length
    await browser.open()
    await openDialog()
    wallet.behave('connect', 'already-pending')
    await pick(wallet.name)
    await expectNotice(`A request is already open in ${wallet.name}. Open it to continue.`)
    expect(asked()).toBe(1)
    wallet.behave('connect', 'hold')
    await pressDialog('Retry')
    await inDialog().findByText(`Waiting for ${wallet.name}`)
    await closeDialog()
    await expectStatus({ connection: 'disconnected' })
    await openDialog()
    await pick(wallet.name)
    await inDialog().findByText(`Waiting for ${wallet.name}`)
    expect(asked()).toBe(2)
    wallet.release()
    await expectStatus({ connection: 'connected' })
  })

  test.each(['Close', 'All wallets'])(
    'behavior: %s while a wallet is asked ends the waiting; its late answer connects nothing, and it is told so',
    async (way) => {
      const wallet = browser.install(team.anna.privateKey)
      await browser.open()
      await openDialog()
      wallet.behave('connect', 'hold')
      await pick(wallet.name)
      await inDialog().findByText(`Waiting for ${wallet.name}`)
      await expectStatus({ connection: 'connecting' })
      await pressDialog(way)
      await expectStatus({ connection: 'disconnected' })
      wallet.release()
      await waitFor(() =>
        expect(methodsOf(wallet).filter((method) => method === 'wallet_revokePermissions')).toHaveLength(1),
      )
      // Nor does an account that is picked in it later.
      await wallet.switchAccount(team.bruno.privateKey)
      await expectStatus({ connection: 'disconnected' })
      expect(within(await findAccount()).getByRole('button').textContent).toBe('Connect wallet')
      wallet.behave('connect', 'answer')
      await connect()
    },
  )

  test('behavior: of two wallets that answer, the one picked last stays', async () => {
    const wallet = browser.install(team.anna.privateKey)
    const last = browser.install(team.bruno.privateKey, other)
    await browser.open()
    await openDialog()
    wallet.behave('connect', 'hold')
    await pick(wallet.name)
    await pressDialog('All wallets')
    await pick(last.name)
    await expectAccount(last.address)
    wallet.release()
    await waitFor(() => expect(methodsOf(wallet)).toContain('wallet_revokePermissions'))
    expect(dialog().querySelector(`[data-address="${wallet.address}"]`)).toBeNull()
    await expectStatus({ connection: 'connected' })
  })

  test('behavior: a wallet at window.ethereum that disappears is not available', async () => {
    browser.install(team.anna.privateKey, { appears: 'injected' })
    await browser.open()
    await openDialog()
    await walletEntry('Browser wallet')
    Reflect.deleteProperty(window, 'ethereum')
    await pick('Browser wallet')
    await expectMessage(messages.notAvailable('Browser wallet'))
  })
})

describe('the next visit', () => {
  test('behavior: the wallet used last reconnects by itself and asks nothing', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    await verify()
    const asked = wallet.requests.length
    const statuses = recordStatuses()
    const answer = browser.server.hold(getSession)
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'loading' })
    answer()
    await expectStatus({ session: 'authenticated' })
    expect(statuses()).toEqual(['authenticated', 'connected', 'loading', 'reconnecting'])
    expect(wallet.requests).toHaveLength(asked)
  })

  test('behavior: a wallet that is locked leaves the session, and a sign-out that did not happen is said', async () => {
    const wallet = await browser.comeBack()
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await wallet.lock()
    await expectStatus({ connection: 'disconnected', session: 'authenticated' })
    await openDialog()
    await inDialog().findByText('You are signed in as', { exact: false })
    await inDialog().findByText('Recent')
    browser.server.isAway = true
    await pressDialog('Sign out')
    await inDialog().findByText('You are still signed in', { exact: false })
    browser.server.isAway = false
    await pressDialog('Sign out')
    await expectStatus({ session: 'unauthenticated' })
  })

  test('behavior: a wallet that hangs blocks nothing', async () => {
    const wallet = await browser.comeBack()
    wallet.behave('accounts', 'hold')
    await browser.open()
    await expectStatus({ connection: 'reconnecting' })
    await waitFor(() => expect(document.documentElement.dataset.connectionStatus).toBe('disconnected'))
    wallet.behave('accounts', 'answer')
    await connect()
  })

  test('behavior: disconnected here means disconnected, also when the account is switched in the wallet later', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    await pressDialog('Disconnect')
    await expectStatus({ connection: 'disconnected' })
    await wallet.switchAccount(team.bruno.privateKey)
    await browser.open()
    await expectStatus({ connection: 'disconnected', session: 'unauthenticated' })
  })
})

describe('what is read out', () => {
  test('behavior: the heading of each step that comes by itself takes the focus', async () => {
    browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Verify your account'))
    expect(document.activeElement?.tagName).toMatch(/^H\d$/)
  })

  test('behavior: both statuses, in the page and in the dialog that covers it', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    const all = () => [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)
    await waitFor(() => expect(all()).toContain('Wallet disconnected · Session unauthenticated'))
    await openDialog()
    const said = dialog().querySelector('[data-statuses][role="status"]')
    expect(said?.textContent).toBe('Wallet disconnected · Session unauthenticated')
    wallet.behave('connect', 'hold')
    await pick('Scripted Wallet')
    await waitFor(() => expect(said?.textContent).toBe('Wallet connecting · Session unauthenticated'))
    wallet.release()
    await waitFor(() => expect(said?.textContent).toBe('Wallet connected · Session unauthenticated'))
    await verify()
    await waitFor(() => expect(all()).toContain('Wallet connected · Session authenticated'))
  })
})
