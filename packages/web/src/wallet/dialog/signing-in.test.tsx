import { getConfiguration, signIn } from '@countersign/contract'
import { waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configuration, devnet } from '../../test/configuration.ts'
import { failure, sessionOf } from '../../test/fake-server.ts'
import { expectStatus, type FakeBrowser, pressButton, startBrowser, team } from '../../test/open-page.ts'
import {
  closeDialog,
  connect,
  dialog,
  expectMessage,
  expectNotice,
  findAccount,
  inDialog,
  messages,
  openDialog,
  pressDialog,
  verify,
} from '../../test/wallet-dialog.ts'

const addable = {
  ...devnet,
  chainId: 845_322,
  name: 'Addable chain',
  publicRpcUrl: 'https://rpc.addable.example',
  explorerUrl: 'https://explorer.addable.example',
}
const closed = { ...devnet, chainId: 845_323, name: 'Closed chain' }

let browser: FakeBrowser
beforeEach(() => {
  browser = startBrowser()
  browser.server.answer(getConfiguration, { ...configuration, chains: [devnet, addable, closed] })
})
afterEach(() => browser.close())

const SIGN = 'Sign the message'
const signButton = () => inDialog().findByRole('button', { name: SIGN })
const waiting = () => inDialog().queryAllByText('Waiting for the signature', { exact: false })
const shownMessage = () => dialog().querySelector('[data-sign-in-message]')?.textContent ?? ''
const sent = () => browser.server.asked(signIn)
const signatures = (wallet: { requests: { method: string }[] }) =>
  wallet.requests.filter(({ method }) => method === 'personal_sign')

describe('preparing the message', () => {
  test('behavior: an error is told, and Retry fetches again and works', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await openDialog()
    browser.server.isAway = true
    await connect()
    const notice = await expectMessage(messages.preparing)
    expect(notice.textContent).toContain('Check that it is running and that you are online')
    expect(waiting()).toEqual([])
    browser.server.isAway = false
    await pressDialog('Retry')
    await signButton()
    expect(signatures(wallet)).toEqual([])
    await verify()
  })
})

describe('waiting for the signature', () => {
  test('behavior: not said before the wallet was asked, nor after it was declined', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    await signButton()
    expect(waiting()).toEqual([])
    wallet.behave('sign', 'reject')
    await pressDialog(SIGN)
    const notice = await expectNotice('Request rejected')
    expect(notice.textContent).not.toContain('WALLET_')
    expect(waiting()).toEqual([])
    wallet.behave('sign', 'already-pending')
    await pressDialog(SIGN)
    await expectNotice(/^A request is already open in/)
    wallet.behave('sign', 'hold')
    await pressDialog(SIGN)
    await waitFor(() => expect(waiting()).not.toEqual([]))
  })

  test('behavior: closing keeps the connection, and what the wallet answers then belongs to nobody', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    wallet.behave('sign', 'hold')
    await pressDialog(SIGN)
    await waitFor(() => expect(signatures(wallet)).toHaveLength(1))
    await closeDialog()
    await expectStatus({ connection: 'connected' })
    wallet.release()
    wallet.behave('sign', 'answer')
    await pressButton('Verify your account', await findAccount())
    await signButton()
    expect(sent()).toEqual([])
    await verify()
    expect(sent()).toHaveLength(1)
  })

  test.each(['fail', 'locked', 'gone', 'unsupported'] as const)(
    'behavior: a wallet that answers as %s is told of, and Retry works',
    async (behaviour) => {
      const wallet = browser.install(team.anna.privateKey)
      await browser.open()
      await connect()
      wallet.behave('sign', behaviour)
      await pressDialog(SIGN)
      await expectMessage(messages.signing)
      await expectStatus({ session: 'unauthenticated' })
      wallet.behave('sign', 'answer')
      await pressDialog('Retry')
      await expectStatus({ session: 'authenticated' })
    },
  )

  test('behavior: the account changes meanwhile: a new message, and the late answer goes nowhere', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    wallet.behave('sign', 'hold')
    await pressDialog(SIGN)
    await waitFor(() => expect(signatures(wallet)).toHaveLength(1))
    await wallet.switchAccount(team.bruno.privateKey)
    await waitFor(() => expect(shownMessage()).toContain(team.bruno.address))
    wallet.release()
    wallet.behave('sign', 'answer')
    await verify()
    expect(sent().map(({ message }) => message.includes(team.bruno.address))).toEqual([true])
  })

  test('behavior: the chain changes meanwhile: a new message, none on a chain that is not enabled', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    wallet.behave('sign', 'hold')
    await pressDialog(SIGN)
    await waitFor(() => expect(signatures(wallet)).toHaveLength(1))
    await wallet.switchChain(closed.chainId)
    await waitFor(() => expect(shownMessage()).toContain(`Chain ID: ${closed.chainId}`))
    wallet.release()
    await wallet.switchChain(424_242)
    await expectMessage(messages.wrongNetworkDetected)
    await wallet.switchChain(devnet.chainId)
    wallet.behave('sign', 'answer')
    await verify()
    expect(sent()).toHaveLength(1)
    expect(sent()[0]?.message).toContain(`Chain ID: ${devnet.chainId}`)
  })
})

describe('verifying the signature', () => {
  test('behavior: the account changes while the server verifies: whose session came of it is said', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    const answer = browser.server.hold(signIn)
    await pressDialog(SIGN)
    await waitFor(() => expect(dialog().querySelector('[data-sign-in-stage="verifying"]')).not.toBeNull())
    await wallet.switchAccount(team.bruno.privateKey)
    await waitFor(() => expect(shownMessage()).toContain(team.bruno.address))
    answer()
    await expectStatus({ session: 'authenticated' })
    expect(browser.server.session?.address).toBe(team.anna.address)
    const notice = await expectNotice('Your wallet is on a different account')
    expect(notice.querySelector(`[data-address="${team.anna.address}"]`)).not.toBeNull()
    // The dialog goes on with the account that is there now.
    await pressDialog(SIGN)
    await waitFor(() => expect(browser.server.session?.address).toBe(team.bruno.address))
  })

  test('behavior: a signature that is refused is told, and Retry signs a new message', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    wallet.behave('sign', 'nonsense')
    await pressDialog(SIGN)
    await expectMessage(messages.verifying)
    wallet.behave('sign', 'answer')
    await pressDialog('Retry')
    await expectStatus({ session: 'authenticated' })
    const nonces = sent().map(({ message }) => /Nonce: (\w+)/.exec(message)?.[1])
    expect(new Set(nonces).size).toBe(2)
  })

  test('behavior: a contract account while the node is away: said, and Retry works once it is back', async () => {
    browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    browser.server.fail(signIn, 'SIWE_SIGNATURE_NOT_CHECKED', {}, 503)
    await pressDialog(SIGN)
    const notice = await expectMessage(messages.verifying)
    expect(notice.textContent).toContain('Only the chain can tell')
    browser.server.restore(signIn)
    await pressDialog('Retry')
    await expectStatus({ session: 'authenticated' })
  })

  test('behavior: the session of a contract is of its chain alone: on another one the address may be of somebody else', async () => {
    const wallet = await browser.comeBack()
    browser.server.session = sessionOf(team.anna.address, devnet.chainId, 'contract')
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await wallet.switchChain(closed.chainId)
    await pressButton('Verify your account', await findAccount())
    await expectNotice('You are signed in on Devnet')
    await waitFor(() => expect(shownMessage()).toContain(`Chain ID: ${closed.chainId}`))
    await wallet.switchChain(devnet.chainId)
    await inDialog().findByRole('heading', { name: 'Your account' })
  })

  test('behavior: an account that the operator does not let in is told so', async () => {
    browser.install(team.anna.privateKey)
    browser.server.answer(signIn, (() =>
      failure('ACCOUNT_NOT_ALLOWED', { reason: 'accounts', address: team.anna.address }, 403)) as never)
    await browser.open()
    await connect()
    await pressDialog(SIGN)
    const notice = await expectMessage(messages.verifying)
    expect(notice.textContent).toContain('is none of the accounts that the operator of this server lets in')
    await expectStatus({ session: 'unauthenticated' })
  })
})

describe('networks', () => {
  test('behavior: on a chain that is not enabled both messages, no signing, and disconnecting is offered', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await wallet.switchChain(424_242)
    await browser.open()
    await connect()
    await expectMessage(messages.wrongNetworkDetected)
    expect(inDialog().queryByRole('button', { name: SIGN })).toBeNull()
    expect(within(await findAccount()).getByRole('button').textContent).toBe(messages.wrongNetwork)
    wallet.behave('switch', 'unsupported')
    await pressDialog('Switch to Devnet')
    await expectNotice(`${wallet.name} does not let pages switch networks`)
    expect(inDialog().queryByRole('button', { name: 'Retry' })).toBeNull()
    wallet.behave('switch', 'hold')
    await pressDialog('Switch to Devnet')
    await inDialog().findByText(`Waiting for ${wallet.name}`)
    await pressDialog('Stop waiting')
    await pressDialog('Disconnect')
    await expectStatus({ connection: 'disconnected' })
  })

  test('behavior: the network is switched in the dialog, which goes on with the signature', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await wallet.switchChain(424_242)
    await browser.open()
    await connect()
    await expectMessage(messages.wrongNetworkDetected)
    await pressDialog('Switch to Devnet')
    await verify()
  })

  test('behavior: a chain that the wallet lacks is added with the public RPC URL alone', async () => {
    const wallet = await browser.comeBack()
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await openDialog()
    await pressDialog('Switch networks')
    const current = () => within(dialog().querySelector(`[data-chain="${devnet.chainId}"]`) as HTMLElement)
    await waitFor(() => current().getByText('Current'))
    wallet.behave('add', 'reject')
    await pressDialog('Switch to Addable chain')
    await expectNotice('Request rejected')
    current().getByText('Current')
    wallet.behave('add', 'answer')
    await pressDialog('Switch to Addable chain')
    await inDialog().findByRole('button', { name: 'Sign out' })
    const added = wallet.requests.filter(({ method }) => method === 'wallet_addEthereumChain')
    expect(added).toHaveLength(2)
    const { publicRpcUrl, explorerUrl } = addable
    expect(added[1]?.params).toMatchObject([
      { chainId: `0x${addable.chainId.toString(16)}`, rpcUrls: [publicRpcUrl], blockExplorerUrls: [explorerUrl] },
    ])
    // The account on this chain can be looked up where the operator says.
    const link = inDialog().getByRole('link', { name: /block explorer/i })
    expect(link.getAttribute('href')).toBe(`${explorerUrl}/address/${team.anna.address}`)
  })

  test('behavior: a chain without a public RPC URL is added by hand', async () => {
    const wallet = await browser.comeBack()
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'authenticated' })
    await openDialog()
    await pressDialog('Switch networks')
    await pressDialog('Switch to Closed chain')
    await expectNotice(`${wallet.name} does not know Closed chain`)
    expect(dialog().querySelector('dl')?.textContent).toContain(String(closed.chainId))
    expect(wallet.requests.map(({ method }) => method)).not.toContain('wallet_addEthereumChain')
  })
})
