import { createPublicClient, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, violationsOf } from '../src/browser/faults.ts'
import {
  addSafeInPage,
  confirmButton,
  connectionStatus,
  executeButton,
  names,
  type Owner,
  openConnectDialog,
  openTransaction,
  sessionStatus,
  startVerifying,
  statusText,
  verify,
  walletEntry,
} from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialogButton, expectMessage, messages } from '../src/wallets/dialog.ts'
import { connectPhone, dialogSays, pickWalletConnect, readCode } from '../src/wallets/pairing.ts'
import { type Phone, type PhoneOptions, startPhone } from '../src/wallets/phone.ts'
import { type Relay, startRelay } from '../src/wallets/relay.ts'

const codeSeconds = 60
const DAY = 86_400_000
const phones: Phone[] = []
let relay: Relay
let scene: Scene

beforeAll(async () => {
  relay = await startRelay()
  scene = await startScene({ configuration: { walletConnect: { relayUrl: relay.url, codeSeconds } } })
})
afterEach(async () => {
  await relay.open()
  await scene?.closeOwners()
  for (const phone of phones.splice(0)) await phone.close()
})
afterAll(async () => {
  await scene?.close()
  await relay?.close()
})

async function visitor(): Promise<Owner> {
  const anna = await scene.owner(team.anna.privateKey)
  anna.watch.expect(new RegExp(`^socket opened: ${relay.url}$`))
  await anna.page.goto(anna.url)
  return anna
}
async function newPhone(privateKey = team.anna.privateKey, more: Partial<PhoneOptions> = {}): Promise<Phone> {
  const phone = await startPhone({ relayUrl: relay.url, rpcUrl: scene.rpcUrl, privateKey, ...more })
  phones.push(phone)
  return phone
}
describe('a phone by WalletConnect', () => {
  test('behavior: paired by the picture, verified, there again after a reload without a prompt, disconnected', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    expect(anna.watch.troubles).toEqual([])
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await verify(anna)
    expect(phone.requests.map(({ method }) => method)).toEqual(['personal_sign'])
    await anna.page.reload()
    await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
    await sessionStatus(anna.page, 'authenticated').waitFor({ state: 'attached' })
    expect(phone.requests).toHaveLength(1)
    await anna.page.getByRole('button', { name: names.profile }).click()
    await anna.page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await expect.poll(() => phone.connections()).toBe(0)
    await anna.page.reload()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    // Whatever the page asked for, it asked its own server and this relay.
    expect([...new Set(anna.watch.troubles)]).toEqual([`socket opened: ${relay.url}`])
  })

  test('behavior: the QR code is drawn without the code of the pages behind the dialog; its link is copied without a clipboard', async () => {
    const { page, url, watch } = await scene.owner(team.anna.privateKey)
    watch.expect(new RegExp(`^socket opened: ${relay.url}$`))
    await page.addInitScript(() => {
      // Nothing is fetched ahead.
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    const fetched: string[] = []
    page.on('request', (request) => void fetched.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await page.goto(url)
    await pickWalletConnect(page)
    const uri = await readCode(page)
    expect(fetched.some((file) => /^qr-code-.*\.js$/.test(file))).toBe(true)
    expect(fetched.filter((file) => /^(?:safe|verdicts|shared|lists|nested|home)-.*\.js$/.test(file))).toEqual([])
    await page.evaluate(() =>
      document.addEventListener('copy', () => {
        document.body.dataset.copied = document.getSelection()?.toString()
      }),
    )
    await dialogButton(page, 'Copy link').click()
    await dialogSays(page, 'Link copied')
    expect(await page.locator('body').getAttribute('data-copied')).toBe(uri)
  })

  test('behavior: a pairing or signature declined on the phone is reported, with either code, and the next works', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await pickWalletConnect(anna.page)
    for (const code of [4001, 5000]) {
      await phone.scanAndReject(await readCode(anna.page), code)
      await dialogSays(anna.page, 'Request rejected')
      await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
      await dialogButton(anna.page, 'Retry').click()
    }
    await phone.scan(await readCode(anna.page), { chainIds: [scene.chainId] })
    await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
    for (const [at, code] of [4001, 5000].entries()) {
      phone.behave({ reject: code })
      await startVerifying(anna.page)
      await expect.poll(() => phone.requests.length).toBe(at + 1)
      await dialogSays(anna.page, 'Request rejected')
      await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
    }
    phone.behave('answer')
    await verify(anna)
  })

  test('behavior: a code that expires is replaced by a new one, which says so; both pair', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await anna.context.clock.install()
    await anna.page.reload()
    await pickWalletConnect(anna.page)
    const first = await readCode(anna.page)
    await dialogSays(anna.page, /New code in 0:[1-5]\d/)
    await anna.context.clock.fastForward((codeSeconds - 1) * 1_000)
    await dialogSays(anna.page, 'The code has expired. This is a new one.')
    const second = await readCode(anna.page)
    expect(second).not.toBe(first)
    await phone.scan(second, { chainIds: [scene.chainId] })
    await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
  })

  test('behavior: approved after the screen was left, nothing is connected and the phone is told', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    for (const way of ['All wallets', 'Escape']) {
      await pickWalletConnect(anna.page)
      const { approve } = await phone.scanAndWait(await readCode(anna.page), [scene.chainId])
      if (way === 'Escape') {
        await anna.page.keyboard.press('Escape')
        await openConnectDialog(anna.page)
      } else await dialogButton(anna.page, way).click()
      await walletEntry(anna.page, 'WalletConnect').waitFor()
      await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
      await approve()
      await expect.poll(() => phone.connections()).toBe(0)
      expect(await connectionStatus(anna.page, 'disconnected').count()).toBe(1)
    }
  })

  test('behavior: approved after the page was loaded again, the phone is told as soon as it can be', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await pickWalletConnect(anna.page)
    const { approve } = await phone.scanAndWait(await readCode(anna.page), [scene.chainId])
    await anna.page.reload()
    await approve()
    expect(phone.connections()).toBe(1)
    await pickWalletConnect(anna.page)
    await readCode(anna.page)
    await anna.page.getByRole('dialog').getByRole('button', { name: 'All wallets' }).click()
    await expect.poll(() => phone.connections()).toBe(0)
  })

  test('behavior: ended on the phone, while a signature is waited for and while the page was closed', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    phone.behave('wait')
    await startVerifying(anna.page)
    await expect.poll(() => phone.requests.length).toBe(1)
    await dialogSays(anna.page, 'Answer the request in Test phone on your phone.')
    await phone.endConnection()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await walletEntry(anna.page, 'WalletConnect').waitFor()
    await dialogSays(anna.page, 'Test phone ended the connection')
    await anna.page.reload()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })

    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await anna.page.goto('about:blank')
    await phone.endConnection()
    await anna.page.goto(anna.url)
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
  })

  test('behavior: account and chain changed on the phone', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await verify(anna)
    await phone.switchTo({ privateKey: team.bruno.privateKey })
    await anna.page
      .getByText(/wallet is on a different account/i)
      .first()
      .waitFor()
    await phone.switchTo({ chainId: 424_242 })
    await anna.page
      .getByRole('button', { name: /wrong network/i })
      .first()
      .click()
    await dialogSays(anna.page, 'Wrong network detected, switch or disconnect to continue.')
    // The phone approved the devnet: coming back asks nobody.
    await anna.page
      .getByRole('dialog')
      .getByRole('button', { name: /^switch to /i })
      .first()
      .click()
    await startVerifying(anna.page)
    await expect.poll(() => phone.requests.length).toBe(2)
    expect(phone.requests.map(({ method, chainId }) => [method, chainId])).toEqual([
      ['personal_sign', `eip155:${scene.chainId}`],
      ['personal_sign', `eip155:${scene.chainId}`],
    ])
  })

  test('behavior: a connection that comes to the end of its time is over, by itself', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await anna.context.clock.install()
    await anna.page.reload()
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await anna.context.clock.fastForward(6 * DAY)
    expect(await connectionStatus(anna.page, 'connected').count()).toBe(1)
    await anna.context.clock.fastForward(DAY + 60_000)
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await walletEntry(anna.page, 'WalletConnect').waitFor()
    await anna.page.reload()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
  })

  test('behavior: who has not installed MetaMask is offered the code instead, on any screen', async () => {
    const anna = await visitor()
    await openConnectDialog(anna.page)
    await walletEntry(anna.page, 'MetaMask').click()
    await expectMessage(anna.page, messages.notInstalled('MetaMask'))
    await dialogButton(anna.page, 'Scan with phone').click()
    expect(await readCode(anna.page)).toMatch(/^wc:/)
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('behavior: disconnected in one tab, disconnected in the other', async () => {
    const anna = await visitor()
    const phone = await newPhone()
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await verify(anna)
    const other = await anna.context.newPage()
    await other.goto(anna.url)
    await connectionStatus(other, 'connected').waitFor({ state: 'attached' })
    await other.getByRole('button', { name: names.profile }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await expect.poll(() => phone.connections()).toBe(0)
  })

  test('behavior: a relay that is away or refuses for a while; then the page hears the phone by itself', async () => {
    const anna = await visitor()
    anna.watch.expect(/WebSocket connection to .* failed/)
    const sockets = () => anna.watch.troubles.filter((trouble) => /^socket opened/.test(trouble)).length
    for (const how of ['is away', 'refuses']) {
      const phone = await newPhone()
      await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
      const before = sockets()
      if (how === 'refuses') relay.refuse('Unauthorized: pass expired')
      else await relay.close()
      await expect.poll(sockets).toBeGreaterThan(before)
      await relay.open()
      await phone.endConnection()
      await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    }
  })

  test('behavior: confirms by typed data and executes by a transaction', async () => {
    const safe = await scene.newSafe()
    const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await addSafeByScript(bruno, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(bruno, safe, {
      to: team.stranger.address,
      value: parseEther('2'),
      nonce: 0n,
    })
    const anna = await visitor()
    const phone = await newPhone()
    await connectPhone(anna.page, phone, { chainIds: [scene.chainId] })
    await verify(anna)
    await addSafeInPage(anna, safe.safeAddress)
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await confirmButton(anna.page).click()
    await executeButton(anna.page).click()
    await statusText(anna.page, names.executed).waitFor()
    expect(phone.requests.map(({ method }) => method)).toEqual([
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
    ])
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    expect(await chain.getBalance({ address: safe.safeAddress })).toBe(parseEther('3'))
  })

  test('error: WALLET_RELAY_UNREACHABLE, refused with its words or silent, when pairing and when signing; Retry works', async () => {
    const anna = await visitor()
    anna.watch.expect(/WebSocket connection to .* failed/)
    const phone = await newPhone()
    // The page gives the relay eight seconds.
    await anna.context.clock.install()
    await anna.page.reload()
    const silent = async () => {
      await anna.context.clock.fastForward(8_000)
      await dialogSays(anna.page, 'The relay between this page and the phone did not answer.')
    }
    const retry = () => dialogButton(anna.page, 'Retry').click()
    relay.refuse('Unauthorized: invalid key')
    await pickWalletConnect(anna.page)
    await dialogSays(anna.page, /The relay refused this page: .*3000.*Unauthorized: invalid key/)
    await relay.close()
    await retry()
    await silent()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await relay.open()
    await retry()
    await phone.scan(await readCode(anna.page), { chainIds: [scene.chainId] })
    await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
    await relay.close()
    await startVerifying(anna.page)
    await silent()
    await relay.open()
    await retry()
    await sessionStatus(anna.page, 'authenticated').waitFor({ state: 'attached' })
  })

  test('behavior: on a phone the wallet is opened by links, to pair and to sign; axe finds nothing in either theme', async () => {
    const viewport = { width: 360, height: 740 }
    const context = await scene.browser.newContext({ hasTouch: true, isMobile: true, viewport })
    try {
      const page = await context.newPage()
      await page.addInitScript(() => {
        window.open = (url) => {
          document.documentElement.dataset.opened = String(url)
          return null
        }
      })
      await page.goto(scene.product.url)
      await pickWalletConnect(page)
      const uri = await readCode(page)
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('link', { name: 'Open a wallet on this phone' }).getAttribute('href')).toBe(uri)
      expect(await dialog.getByRole('link', { name: 'Open MetaMask' }).getAttribute('href')).toBe(
        `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`,
      )
      expect(await violationsOf(page)).toEqual([])
      const phone = await newPhone(team.anna.privateKey, { deepLink: 'testphone://' })
      await phone.scan(uri, { chainIds: [scene.chainId] })
      await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
      await verify({ page })
      expect(await page.locator('html').getAttribute('data-opened')).toMatch(/^testphone:\/\/wc\?requestId=\d+/)
    } finally {
      await context.close()
    }
  })
})
