import { deploySafe, startDevnet } from '@countersign/devnet'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmButton,
  connect,
  connectionStatus,
  names,
  openTransaction,
  sessionStatus,
  signIn,
  verify,
} from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { newSafe, team } from '../src/people/team.ts'
import { createGate, type Gate } from '../src/product/gate.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import {
  dialog,
  dialogButton,
  expectMessage,
  expectNotice,
  messages,
  openDialog,
  signButton,
} from '../src/wallets/dialog.ts'

const chainId = 845_321
const addableChainId = 845_322
const otherChainId = 845_323
const publicRpcUrl = 'https://rpc.addable.example'
const explorerUrl = 'https://explorer.addable.example'
let scene: Scene
let gate: Gate
let node: Awaited<ReturnType<typeof startDevnet>>

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  gate = await createGate(node.rpcUrl)
  await gate.open()
  scene = await startScene({
    configuration: {
      chains: [
        { chainId, name: 'First chain', rpcUrls: [gate.rpcUrl] },
        { chainId: addableChainId, name: 'Addable chain', rpcUrls: [node.rpcUrl], publicRpcUrl, explorerUrl },
        { chainId: otherChainId, name: 'Closed chain', rpcUrls: [node.rpcUrl] },
      ],
    },
    rpcUrl: node.rpcUrl,
    chainId,
    waitFor: 'healthz',
  })
})
afterAll(async () => {
  await scene?.close()
  await gate?.close()
  await node?.close()
})
afterEach(() => scene?.closeOwners())

/** Records the page's sign-in requests, in order. */
function watchVerifications(page: Page): { message: string; signature: string }[] {
  const sent: { message: string; signature: string }[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/session')
      sent.push(request.postDataJSON())
  })
  return sent
}

function shownMessage(page: Page): Promise<string> {
  return page.locator('[data-sign-in-message]').textContent().then(String)
}

const prepares = '**/api/session/message'

describe('preparing the message', () => {
  test('behavior: an error is told, and Retry fetches again and works', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    anna.watch.expect(/ERR_FAILED/)
    await page.goto(anna.url)
    await page.route(prepares, (route) => route.abort())
    await connect(anna)
    const notice = await expectMessage(page, messages.preparing)
    expect(await notice.textContent()).toContain('Check that it is running and that you are online')
    expect(await dialog(page).getByText('Waiting for the signature').count()).toBe(0)
    await page.unroute(prepares)
    await dialogButton(page, 'Retry').click()
    await signButton(page).waitFor()
    expect(anna.wallet.requests.filter(({ method }) => method === 'personal_sign')).toEqual([])
    await verify(anna)
  })
})

describe('waiting for the signature', () => {
  test('behavior: not said before the wallet was asked nor after it was declined; closing keeps the connection', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    const waiting = dialog(page).getByText('Waiting for the signature')
    await page.goto(anna.url)
    await connect(anna)
    await signButton(page).waitFor()
    expect(await waiting.count()).toBe(0)
    wallet.behave('sign', 'reject')
    await signButton(page).click()
    const notice = await expectNotice(page, 'Request rejected')
    expect(await notice.textContent()).not.toContain('WALLET_')
    expect(await waiting.count()).toBe(0)
    wallet.behave('sign', 'already-pending')
    await signButton(page).click()
    await expectNotice(page, /^A request is already open in/)
    wallet.behave('sign', 'hold')
    await signButton(page).click()
    await waiting.first().waitFor()
    const sent = watchVerifications(page)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    const opener = page.getByRole('banner').getByRole('button', { name: 'Verify your account' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    // The wallet's answer now belongs to nobody.
    wallet.release()
    wallet.behave('sign', 'answer')
    await openDialog(page)
    await signButton(page).waitFor()
    expect(sent).toEqual([])
    await verify(anna)
  })

  test('behavior: errors of the wallet are told, and Retry works', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    wallet.behave('sign', 'fail')
    await signButton(page).click()
    await expectMessage(page, messages.signing)
    for (const behaviour of ['locked', 'gone', 'unsupported'] as const) {
      wallet.behave('sign', behaviour)
      await dialogButton(page, 'Retry').click()
      await expectMessage(page, messages.signing)
      await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    }
    wallet.behave('sign', 'answer')
    await dialogButton(page, 'Retry').click()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
  })

  test('behavior: the account or the chain changes meanwhile: a new message, and the late answer goes nowhere', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    const sent = watchVerifications(page)
    wallet.behave('sign', 'hold')
    await signButton(page).click()
    await expect.poll(() => wallet.requests.at(-1)?.method).toBe('personal_sign')
    await wallet.switchAccount(team.bruno.privateKey)
    await expect.poll(() => shownMessage(page)).toContain(team.bruno.address)
    wallet.release()

    await signButton(page).click()
    await expect.poll(() => wallet.requests.filter(({ method }) => method === 'personal_sign').length).toBe(2)
    await wallet.switchChain(otherChainId)
    await expect.poll(() => shownMessage(page)).toContain(`Chain ID: ${otherChainId}`)
    wallet.release()
    await wallet.switchChain(424_242)
    await expectMessage(page, messages.wrongNetworkDetected)
    await wallet.switchChain(chainId)
    wallet.behave('sign', 'answer')
    await verify(anna)
    expect(sent.map(({ message }) => message.includes(team.bruno.address))).toEqual([true])
  })
})

describe('leaving the dialog', () => {
  test('behavior: by Escape, Close or a click beside it: still connected, the focus back; not by a selection that ends there', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    const opener = page.getByRole('banner').getByRole('button', { name: 'Verify your account' })
    await page.goto(anna.url)
    await connect(anna)
    await signButton(page).waitFor()
    await dialog(page).getByText('Sign a message to prove').hover()
    await page.mouse.down()
    await page.mouse.move(3, 3, { steps: 4 })
    await page.mouse.up()
    expect(await signButton(page).isVisible()).toBe(true)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialogButton(page, 'Close').click(),
      () => page.mouse.click(3, 3),
    ]) {
      await leave()
      await dialog(page).waitFor({ state: 'detached' })
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await connectionStatus(page, 'connected').count()).toBe(1)
      await opener.click()
      await signButton(page).waitFor()
    }
  })
})

describe('verifying the signature', () => {
  test('behavior: the account changes while the server verifies: whose session came of it is said', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    // Her session ends with Bruno's sign-in, and the page may be reading meanwhile.
    anna.watch.expect(/^response: 401 \S+( NOT_SIGNED_IN)?$/)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/session', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await signButton(page).click()
    await dialog(page).locator('[data-sign-in-stage="verifying"]').waitFor()
    await wallet.switchAccount(team.bruno.privateKey)
    await expect.poll(() => shownMessage(page)).toContain(team.bruno.address)
    release()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    expect(await sessionAddress(page)).toBe(team.anna.address)
    const notice = await expectNotice(page, 'Your wallet is on a different account')
    await notice.locator(`[data-address="${team.anna.address}"]`).waitFor()
    // The dialog goes on with the account that is there now.
    await verify(anna)
    await expect.poll(() => sessionAddress(page)).toBe(team.bruno.address)
  })

  test('behavior: a signature that is refused is told, and Retry signs a new message', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    anna.watch.expect(/response: 401/)
    await page.goto(anna.url)
    await connect(anna)
    const sent = watchVerifications(page)
    wallet.behave('sign', 'nonsense')
    await signButton(page).click()
    await expectMessage(page, messages.verifying)
    wallet.behave('sign', 'answer')
    await dialogButton(page, 'Retry').click()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    const nonces = sent.map(({ message }) => /Nonce: (\w+)/.exec(message)?.[1])
    expect(nonces).toHaveLength(2)
    expect(new Set(nonces).size).toBe(2)
  })

  test('behavior: a contract account while the node is away: 503, said, and Retry works once it is back', async () => {
    const safeAddress = await deploySafe({
      rpcUrl: node.rpcUrl,
      chainId,
      version: '1.4.1',
      owners: [team.anna.address],
      threshold: 1,
      saltNonce: BigInt(Date.now()),
    })
    const anna = await scene.owner(team.anna.privateKey, { safeAddress })
    const { page } = anna
    anna.watch.expect(/response: 503/)
    const statuses: number[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/session' && response.request().method() === 'POST')
        statuses.push(response.status())
    })
    await page.goto(anna.url)
    await connect(anna)
    await gate.close()
    await signButton(page).click()
    const notice = await expectMessage(page, messages.verifying).finally(() => gate.open())
    expect(await notice.textContent()).toContain('Only the chain can tell')
    expect(statuses).toEqual([503])
    await expect
      .poll(
        async () => {
          await dialogButton(page, 'Retry')
            .click({ timeout: 1_000 })
            .catch(() => {})
          return sessionStatus(page, 'authenticated').count()
        },
        { interval: 700 },
      )
      .toBe(1)
    expect(statuses).not.toContain(401)

    // The session is of this chain alone: on another one the address may be of somebody else.
    await anna.wallet.switchChain(otherChainId)
    await page.getByRole('banner').getByRole('button', { name: 'Verify your account' }).click()
    await expectNotice(page, 'You are signed in on First chain')
    expect(await shownMessage(page)).toContain(`Chain ID: ${otherChainId}`)
    await anna.wallet.switchChain(chainId)
    await dialog(page).getByRole('heading', { name: 'Your account' }).waitFor()
  })
})

describe('networks', () => {
  test('behavior: on a chain that is not enabled both messages, no signing, and disconnecting is offered', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await wallet.switchChain(424_242)
    await page.goto(anna.url)
    await connect(anna)
    await expectMessage(page, messages.wrongNetworkDetected)
    expect(await signButton(page).count()).toBe(0)
    expect(await page.locator('header button').textContent()).toBe(messages.wrongNetwork)
    wallet.behave('switch', 'unsupported')
    await dialogButton(page, 'Switch to First chain').click()
    await expectNotice(page, `${wallet.name} does not let pages switch networks`)
    expect(await dialogButton(page, 'Retry').count()).toBe(0)
    wallet.behave('switch', 'hold')
    await dialogButton(page, 'Switch to First chain').click()
    await dialog(page).getByText(`Waiting for ${wallet.name}`).waitFor()
    await dialogButton(page, 'Stop waiting').click()
    await dialogButton(page, 'Disconnect').click()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
  })

  test('behavior: a chain that the wallet lacks is added with the public RPC URL alone, else by hand', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    // Its node is on another chain than it says, so its balance cannot be read.
    anna.watch.expect(/response: 503 .*\/rpc/)
    await signIn(anna)
    await openDialog(page)
    await dialogButton(page, 'Switch networks').click()
    await dialog(page).locator(`[data-chain="${chainId}"]`).getByText('Current').waitFor()
    wallet.behave('add', 'reject')
    await dialogButton(page, 'Switch to Addable chain').click()
    await expectNotice(page, 'Request rejected')
    await dialog(page).locator(`[data-chain="${chainId}"]`).getByText('Current').waitFor()
    await dialogButton(page, 'Switch to Closed chain').click()
    await expectNotice(page, `${wallet.name} does not know Closed chain`)
    const byHand = await dialog(page).locator('dl').textContent()
    expect(byHand).toContain(String(otherChainId))
    expect(byHand).not.toContain(node.rpcUrl)
    wallet.behave('add', 'answer')
    await dialogButton(page, 'Switch to Addable chain').click()
    await dialog(page).getByText('Addable chain').first().waitFor()
    await dialogButton(page, 'Sign out').waitFor()
    const added = wallet.requests.filter(({ method }) => method === 'wallet_addEthereumChain')
    expect(added).toHaveLength(2)
    expect(added[1]?.params).toMatchObject([
      { chainId: `0x${addableChainId.toString(16)}`, rpcUrls: [publicRpcUrl], blockExplorerUrls: [explorerUrl] },
    ])
    expect(JSON.stringify(added)).not.toContain(node.rpcUrl)
    // The account on this chain can be looked up where the operator says.
    const link = dialog(page).getByRole('link', { name: /block explorer/i })
    expect(await link.getAttribute('href')).toBe(`${explorerUrl}/address/${team.anna.address}`)
  })
})

describe('another account in the wallet than in the session', () => {
  test('behavior: nothing is written or signed, reading stays, whose session it is is said; verifying ends it', async () => {
    const safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    await addSafeByScript(script, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page, wallet } = bruno
    // The account that is verified at the end has no part in this Safe.
    bruno.watch.expect(/response: 404 .*\/transactions\//)
    bruno.watch.expect(new RegExp(`^response: 404 /api/chains/\\d+/safes/${safe.safeAddress}( SAFE_NOT_FOUND)?$`))
    await signIn(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await confirmButton(page).waitFor()
    await expect.poll(() => confirmButton(page).isEnabled()).toBe(true)
    const asked = wallet.requests.length
    await wallet.switchAccount(team.relayer.privateKey)
    const banner = page
      .getByRole('main')
      .locator('[data-tone="warning"]', { hasText: 'Your wallet is on a different account' })
    await banner.locator(`[data-address="${team.bruno.address}"]`).waitFor()
    await banner.locator(`[data-address="${team.relayer.address}"]`).waitFor()
    await expect
      .poll(async () => (await confirmButton(page).count()) === 0 || confirmButton(page).isDisabled())
      .toBe(true)
    expect(wallet.requests.length).toBe(asked)
    // No write of any kind, whichever part of the page asks.
    const written: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && !/^\/api\/(session|chains\/\d+\/rpc)/.test(pathname)) written.push(pathname)
    })
    await wallet.switchAccount(team.bruno.privateKey)
    await page.goto(bruno.url)
    await page.getByLabel(names.safeAddress).fill(safe.safeAddress)
    await wallet.switchAccount(team.relayer.privateKey)
    await banner.waitFor()
    expect(await page.getByRole('button', { name: names.addSafe, exact: true }).isDisabled()).toBe(true)
    await page.getByLabel(names.safeAddress).evaluate((input) => input.closest('form')?.requestSubmit())
    await page.getByRole('main').getByText('ACCOUNT_MISMATCH').waitFor()
    expect(written).toEqual([])
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    // Reading stays, as the session's account.
    await page.reload()
    await page.locator(`[data-hash="${safeTxHash}" i]`).first().waitFor({ state: 'attached' })
    await page.locator('[data-verdict]').first().waitFor()
    await banner.waitFor()
    await banner.getByRole('button', { name: 'Verify the new account' }).click()
    await dialog(page).locator(`[data-address="${team.bruno.address}"]`).waitFor()
    await verify(bruno)
    await expect.poll(() => banner.count()).toBe(0)
    expect(await sessionAddress(page)).toBe(team.relayer.address)
  })
})

async function sessionAddress(page: Page): Promise<Address> {
  return page.evaluate(async () => (await (await fetch('/api/session')).json()).session.address)
}
