import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  connect,
  connectionStatus,
  openConnectDialog,
  sessionStatus,
  signIn,
  verify,
  walletEntry,
} from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
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
import { announceGarbage, announceOddWallets, injectOdd } from '../src/wallets/odd-wallet.ts'
import { installWallet } from '../src/wallets/wallet.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const metaMask = { name: 'MetaMask', rdns: 'io.metamask' }
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('a locked wallet that answers with an empty list', () => {
  test('behavior: it is locked, not connected, and connects once it is unlocked', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await openDialog(page)
    wallet.behave('connect', 'empty')
    await walletEntry(page, wallet.name).click()
    await expectNotice(page, `${wallet.name} is locked`)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.behave('connect', 'answer')
    await dialogButton(page, 'Retry').click()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await verify(anna)
  })

  test('behavior: with a session the page goes on, and the same account verifies nothing anew', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await signIn(anna)
    await wallet.lock()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.behave('connect', 'empty')
    await openDialog(page)
    await walletEntry(page, wallet.name).click()
    await expectNotice(page, `${wallet.name} is locked`)
    await page.reload()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.behave('connect', 'answer')
    await openDialog(page)
    await walletEntry(page, wallet.name).click()
    await dialog(page).getByRole('heading', { name: 'Your account' }).waitFor()
  })
})

describe('the list of wallets', () => {
  test('behavior: thirty fakes hide neither MetaMask nor the wallet used last, and all can be shown', async () => {
    const anna = await scene.owner(team.anna.privateKey, { name: 'Owl', rdns: 'test.owl' })
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    await dialogButton(page, 'Disconnect').click()
    const visitor = anna.context
    await announceOddWallets(
      visitor,
      Array.from({ length: 40 }, (_, index) => ({ name: `Fake ${index}`, request: 'return null' })),
    )
    const late = await installWallet(visitor, {
      ...metaMask,
      privateKey: team.bruno.privateKey,
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      appears: 'late',
    })
    await page.reload()
    await openDialog(page)
    await late.announce()
    const installed = page.getByRole('region', { name: 'Installed' }).locator('button[data-wallet]')
    await walletEntry(page, 'MetaMask').waitFor()
    expect(
      await installed.evaluateAll((all) => all.map((entry) => entry.getAttribute('data-wallet')).slice(0, 2)),
    ).toEqual(['test.owl', 'io.metamask'])
    expect(await installed.count()).toBe(8)
    await dialogButton(page, /^Show the other 34$/).click()
    expect(await installed.count()).toBe(42)
    await walletEntry(page, 'MetaMask').click()
    await dialog(page).locator(`[data-address="${late.address}"]`).waitFor()
    expect(wallet.name).toBe('Owl')
  })

  test('behavior: a name in other letters than those it shows is marked, the real one is not', async () => {
    const anna = await scene.owner(team.anna.privateKey, metaMask)
    const { page } = anna
    await announceOddWallets(anna.context, [
      { name: '\u041c\u0435ta\u041cask', rdns: 'evil.cyrillic', request: 'return null' },
      { name: '\uff2detaMask', rdns: 'evil.wide', request: 'return null' },
    ])
    await page.goto(anna.url)
    await openDialog(page)
    const entry = (id: string) => dialog(page).locator(`button[data-wallet="${id}"]`)
    for (const id of ['evil.cyrillic', 'evil.wide'])
      await entry(id)
        .getByText(`looks like MetaMask, but this is another program. This one identifies itself as ${id}`)
        .waitFor()
    expect(await entry('io.metamask').locator('[data-warning]').count()).toBe(0)
  })

  test.each([
    ['throws', 'throw new Error("mine")'],
    ['is null', 'return null'],
    ['has no request', 'return { isMetaMask: true, providers: [null, 7, {}] }'],
    ['throws on any property', 'return new Proxy({}, { get() { throw new Error("mine") } })'],
  ])('behavior: window.ethereum that %s is no wallet, and the rest is listed', async (_, source) => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await injectOdd(anna.context, source)
    await announceGarbage(anna.context)
    await page.goto(anna.url)
    await openDialog(page)
    await walletEntry(page, wallet.name).waitFor()
    expect(await dialog(page).locator('button[data-wallet="injected"][data-presence="ready"]').count()).toBe(0)
    await connect(anna)
    await verify(anna)
  })

  test('behavior: an injected wallet that sits beside garbage connects', async () => {
    const { page, url, context } = await scene.visitor()
    await injectOdd(
      context,
      `return { providers: [null, 7], request: async ({ method }) => method === 'eth_chainId' ? 31337 : ['${account}'] }`,
    )
    await announceGarbage(context)
    await page.goto(url)
    await openDialog(page)
    await walletEntry(page, 'Browser wallet').click()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await dialog(page).locator(`[data-address="${account}"]`).waitFor()
  })
})

describe('what a wallet answers', () => {
  test('behavior: odd answers that can be read connect, whatever the wallet lacks', async () => {
    const answer = `
      if (method === 'eth_chainId') return ID
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return ['${account.toLowerCase()}', '${account}', null]
      throw { code: '4200' }`
    const { page, url, context } = await scene.visitor()
    await announceOddWallets(context, [
      { name: 'Number', request: answer.replace('ID', '31337') },
      { name: 'Decimal', request: answer.replace('ID', '"31337"') },
      { name: 'Deaf', request: answer.replace('ID', '"0x7a69"'), more: 'on: 7, removeListener: undefined' },
      {
        name: 'Throwing',
        request: answer.replace('ID', '"0x7a69"'),
        more: 'on() { throw new Error("mine") }, removeListener() { throw undefined }',
      },
    ])
    await page.goto(url)
    for (const name of ['Number', 'Decimal', 'Deaf', 'Throwing']) {
      await openConnectDialog(page)
      await walletEntry(page, name).click()
      await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
      await dialog(page).locator(`[data-address="${account}"]`).waitFor()
      await signButton(page).waitFor()
      await dialogButton(page, 'Disconnect').click()
      await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    }
  })

  test('behavior: what cannot be read is said in a plain sentence with its code, never in words of the language', async () => {
    const accounts = `if (method === 'eth_requestAccounts') return ['${account}'];`
    const { page, url, context } = await scene.visitor()
    const cases = {
      'No chain': [`${accounts} return NaN`, 'does not say which chain it is on'],
      'Huge chain': [`${accounts} return 2 ** 70`, 'does not say which chain it is on'],
      'Odd account': ['return ["not an address"]', 'without an account that this page can read'],
      'No list': ['return { length: 1 }', 'without an account that this page can read'],
      'Throws at once': ['undefined.on()', 'failed and did not say why'],
      'Throws nothing': ['throw undefined', 'failed and did not say why'],
      'Rejects an object': ['return Promise.reject({ toString: null })', 'failed and did not say why'],
      'Rejects a type error': ['return Promise.reject(new TypeError("u.on is not a function"))', 'did not say why'],
      'Rejects a text': ['return Promise.reject("Plug the device in")', 'answered: Plug the device in'],
    }
    await announceOddWallets(
      context,
      Object.entries(cases).map(([name, [request = '']]) => ({ name, request })),
    )
    await page.goto(url)
    await openDialog(page)
    await dialogButton(page, /^Show the other/).click()
    for (const [name, [, sentence = '']] of Object.entries(cases)) {
      await walletEntry(page, name).click()
      const notice = await expectMessage(page, messages.oops)
      const said = await notice.textContent()
      expect(said).toContain(sentence)
      expect(said).toContain('WALLET_FAILED')
      expect(said).not.toMatch(/is not a function|undefined|NaN|\[object/)
      await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
      await dialogButton(page, 'All wallets').click()
      const more = dialogButton(page, /^Show the other/)
      if (await more.isVisible()) await more.click()
    }
  })

  test('behavior: a wallet that breaks at the switch of the network says so in plain words', async () => {
    const { page, url, context } = await scene.visitor()
    await announceOddWallets(context, [
      {
        name: 'Breaking',
        request: `if (method === 'eth_chainId') return 999
          if (/ccounts/.test(method)) return ['${account}']
          throw new TypeError('u.on is not a function')`,
      },
    ])
    await page.goto(url)
    await openDialog(page)
    await walletEntry(page, 'Breaking').click()
    await expectMessage(page, messages.wrongNetworkDetected)
    await dialogButton(page, /^Switch to /)
      .first()
      .click()
    const said = await (await expectMessage(page, messages.oops)).textContent()
    expect(said).toContain('Breaking could not switch to Devnet')
    expect(said).toContain('CHAIN_SWITCH_FAILED')
    expect(said).not.toContain('is not a function')
  })

  test('behavior: a code that is a text is a code', async () => {
    const { page, url, context } = await scene.visitor()
    await announceOddWallets(context, [{ name: 'Textual', request: 'return Promise.reject({ code: "4001" })' }])
    await page.goto(url)
    await openDialog(page)
    await walletEntry(page, 'Textual').click()
    await expectNotice(page, 'Request rejected')
  })

  test('behavior: a chain that the wallet tells of in no way that can be read changes nothing on screen', async () => {
    const { page, url, context } = await scene.visitor()
    await announceOddWallets(context, [
      {
        name: 'Talker',
        request: `return method === 'eth_chainId' ? '0x7a69' : ['${account}']`,
        more: `on(event, listener) { addEventListener('talk', ({ detail }) => event === detail[0] && listener(detail[1])) }`,
      },
    ])
    await page.goto(url)
    await openDialog(page)
    await walletEntry(page, 'Talker').click()
    await signButton(page).waitFor()
    const talk = (event: string, value: unknown) =>
      page.evaluate((detail) => void window.dispatchEvent(new CustomEvent('talk', { detail })), [event, value] as const)
    for (const value of [Number.NaN, 'NaN', null, {}, 2 ** 70]) await talk('chainChanged', value)
    await signButton(page).waitFor()
    expect(await page.locator('body').textContent()).not.toContain('NaN')
    await talk('chainChanged', 999)
    await expectMessage(page, messages.wrongNetworkDetected)
    await talk('chainChanged', 31337)
    await signButton(page).waitFor()
    await talk('accountsChanged', ['nobody'])
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
  })
})

describe('a wallet that takes its time', () => {
  test('behavior: left, it is no longer connecting, and answers for nobody', async () => {
    const { page, url, wallet } = await scene.owner(team.anna.privateKey)
    await page.goto(url)
    await openDialog(page)
    wallet.behave('connect', 'hold')
    await walletEntry(page, wallet.name).click()
    await connectionStatus(page, 'connecting').waitFor({ state: 'attached' })
    await dialogButton(page, 'All wallets').click()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.release()
    await expect.poll(() => wallet.requests.some(({ method }) => method === 'wallet_revokePermissions')).toBe(true)
    await wallet.switchAccount(team.bruno.privateKey)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    expect(await page.getByRole('banner').getByRole('button').textContent()).toBe('Connect wallet')
  })

  test('behavior: what announces itself after 2.5 seconds is reconnected, and the status says so', async () => {
    const anna = await scene.owner(team.anna.privateKey, { appears: 'late' })
    const { page, wallet } = anna
    await page.goto(anna.url)
    await openDialog(page)
    await wallet.announce()
    await connect(anna)
    await verify(anna)
    await page.reload()
    await connectionStatus(page, 'reconnecting').waitFor({ state: 'attached' })
    // It is not kept waiting for a wallet that may have been removed.
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await page.waitForTimeout(1_000)
    await wallet.announce()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^account 0x/i }).waitFor()
  })

  test('behavior: what sits at window.ethereum late is reconnected too', async () => {
    const { page, url, context } = await scene.visitor()
    await context.addInitScript({
      content: `setTimeout(() => {
        window.ethereum = { request: async ({ method }) => method === 'eth_chainId' ? '0x7a69' : ['${account}'] }
        dispatchEvent(new Event('ethereum#initialized'))
      }, 2500)`,
    })
    await page.goto(url)
    await openDialog(page)
    await dialog(page).locator('button[data-wallet="injected"][data-presence="ready"]').click()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await page.reload()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  })
})

describe('two wallets', () => {
  test('behavior: one that was locked does not take the place of the other when it is unlocked', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    const other = await installWallet(anna.context, {
      privateKey: team.bruno.privateKey,
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      name: 'Other Wallet',
      rdns: 'org.countersign.other',
    })
    await page.goto(anna.url)
    await connect(anna)
    await wallet.lock()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await walletEntry(page, other.name).click()
    await dialog(page).locator(`[data-address="${other.address}"]`).waitFor()
    await wallet.unlock()
    await other.switchChain(999)
    await expectMessage(page, messages.wrongNetworkDetected)
    await other.switchChain(scene.chainId)
    await dialog(page).locator(`[data-address="${other.address}"]`).waitFor()
    expect(await dialog(page).locator(`[data-address="${wallet.address}"]`).count()).toBe(0)
  })
})

describe('two tabs', () => {
  test.each([
    ['with storage', ''],
    [
      'without storage',
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })`,
    ],
    ['without channels', `Object.defineProperty(window, 'BroadcastChannel', { value: undefined })`],
  ])('behavior: disconnected in one, disconnected in the other, %s', async (_, blocked) => {
    const anna = await scene.owner(team.anna.privateKey)
    if (blocked) await anna.context.addInitScript({ content: blocked })
    await anna.page.goto(anna.url)
    await connect(anna)
    const page = await anna.context.newPage()
    await page.goto(anna.url)
    const other = { ...anna, page }
    if (blocked.includes('localStorage')) await connect(other)
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    const asked = anna.wallet.requests.length
    await dialogButton(anna.page, 'Disconnect').click()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    // The wallet is told once.
    await expect
      .poll(() => anna.wallet.requests.slice(asked).map(({ method }) => method))
      .toEqual(['wallet_revokePermissions'])
    // Connected again in the one, the other stays as it is until its person connects it.
    await connect(anna)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
  })
})
