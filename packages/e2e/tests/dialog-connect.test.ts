import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect, connectionStatus, names, sessionStatus, signIn, verify, walletEntry } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import {
  dialog,
  dialogButton,
  expectMessage,
  expectNotice,
  messages,
  openDialog,
  recordStatuses,
} from '../src/wallets/dialog.ts'
import { installWallet } from '../src/wallets/wallet.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** The page asks for its session at once, and may else know it before there is a status to show. */
async function answerSessionLate(page: Page): Promise<void> {
  await page.route('**/api/session', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
}

const metaMask = { name: 'MetaMask', rdns: 'io.metamask' }

describe('nothing installed', () => {
  test('behavior: the list opens without a spinner, the status never leaves disconnected, MetaMask says where it is', async () => {
    const { page, url } = await scene.visitor()
    const statuses = await recordStatuses(page)
    await answerSessionLate(page)
    await page.goto(url)
    await openDialog(page)
    const entries = dialog(page).locator('button[data-wallet]')
    await entries.first().waitFor()
    const offered = await entries.evaluateAll((all) => all.map((entry) => entry.getAttribute('data-wallet')))
    // The five kinds of wallet, and on the devnet the Demo wallet.
    expect([...offered].sort()).toEqual(['coinbase', 'demo', 'injected', 'metaMask', 'safe', 'walletConnect'])
    expect(await dialog(page).getByText('Opening').count()).toBe(0)
    await walletEntry(page, 'MetaMask').click()
    const notice = await expectMessage(page, messages.notInstalled('MetaMask'))
    const link = notice.getByRole('link')
    expect(await link.getAttribute('href')).toBe('https://metamask.io/download')
    expect(await link.getAttribute('rel')).toContain('noopener')
    await dialogButton(page, 'All wallets').click()
    for (const missing of ['Safe', 'WalletConnect']) {
      await walletEntry(page, missing).click()
      await expectMessage(page, messages.notAvailable(missing))
      await dialogButton(page, 'All wallets').click()
    }
    await walletEntry(page, 'Browser wallet').click()
    await expectMessage(page, messages.notInstalled('Browser wallet'))
    await dialogButton(page, 'Get a wallet').click()
    await dialog(page).getByRole('heading', { name: 'What a wallet is' }).waitFor()
    for (const link of await dialog(page).getByRole('link').all()) {
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
      expect(await link.getAttribute('target')).toBe('_blank')
    }
    await dialogButton(page, 'All wallets').click()
    await entries.first().waitFor()
    // All this can take less time than the answer about the session.
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    expect((await statuses()).sort()).toEqual(['disconnected', 'loading', 'unauthenticated'])
  })

  test('behavior: a wallet that is installed while its absence is shown takes its place', async () => {
    const { page, url, wallet } = await scene.owner(team.anna.privateKey, { ...metaMask, appears: 'late' })
    await page.goto(url)
    await openDialog(page)
    await walletEntry(page, 'MetaMask').click()
    await expectMessage(page, messages.notInstalled('MetaMask'))
    await wallet.announce()
    await walletEntry(page, 'MetaMask').click()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  })
})

describe('announced wallets', () => {
  test('behavior: two wallets, one of them late, each once, under Installed', async () => {
    const anna = await scene.owner(team.anna.privateKey, metaMask)
    const late = await installWallet(anna.context, {
      privateKey: team.bruno.privateKey,
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      name: 'Late Wallet',
      rdns: 'org.countersign.late',
      appears: 'late',
    })
    await anna.page.goto(anna.url)
    await openDialog(anna.page)
    const installed = anna.page.getByRole('region', { name: 'Installed' })
    await installed.locator('[data-wallet="io.metamask"]').waitFor()
    await late.announce()
    await installed.locator('[data-wallet="org.countersign.late"]').waitFor()
    await late.announce()
    expect(await dialog(anna.page).locator('button[data-wallet]', { hasText: 'MetaMask' }).count()).toBe(1)
    expect(await installed.locator('button[data-wallet]').count()).toBe(2)
    await walletEntry(anna.page, 'Late Wallet').click()
    await connectionStatus(anna.page, 'connected').waitFor({ state: 'attached' })
    await dialog(anna.page).locator(`[data-address="${team.bruno.address}"]`).waitFor()
  })

  test('behavior: names and pictures of strangers neither run, call elsewhere nor pass for another', async () => {
    const anna = await scene.owner(team.anna.privateKey, metaMask)
    const strangers = [
      { name: 'Meta\u200bMask\u202e', rdns: 'evil.fox', icon: 'https://evil.example/pixel.png' },
      { name: `Long ${'x'.repeat(500)}`, rdns: 'evil.long', icon: 'data:text/html,<script>alert(1)</script>' },
      { name: 'MetaMask', rdns: 'io.metamask', icon: 'data:image/svg+xml,<svg onload="alert(1)"/>' },
    ]
    for (const stranger of strangers)
      await installWallet(anna.context, {
        privateKey: team.bruno.privateKey,
        rpcUrl: scene.rpcUrl,
        chainId: scene.chainId,
        ...stranger,
      })
    await anna.page.goto(anna.url)
    await openDialog(anna.page)
    const entry = (id: string) => dialog(anna.page).locator(`button[data-wallet="${id}"]`)
    await entry('evil.fox').getByText('This one identifies itself as evil.fox').waitFor()
    expect(await entry('evil.fox').textContent()).toContain('MetaMask')
    expect((await entry('evil.long').textContent())?.length).toBeLessThan(60)
    const contested = dialog(anna.page).locator('[data-contested="io.metamask"]')
    await contested.getByText('2 programs identify themselves as io.metamask').waitFor()
    await contested.getByRole('button', { name: 'Show all 2' }).click()
    await entry('io.metamask').waitFor()
    await entry('io.metamask~2').waitFor()
    // Both announce no picture that may be drawn: they get the plain one of ours.
    for (const id of ['evil.fox', 'evil.long'])
      expect(await entry(id).locator('[data-wallet-icon="plain"]').count()).toBe(1)
    for (const picture of await dialog(anna.page).locator('img').all())
      expect(await picture.getAttribute('src')).toMatch(/^data:image\//)
    // The watch over the page fails this test on any request that leaves, and on any script that runs.
  })
})

describe('connecting', () => {
  test('behavior: locked, failing, nonsense and cut off are told as what they are, and Retry goes on', async () => {
    const { page, url, wallet } = await scene.owner(team.anna.privateKey)
    await page.goto(url)
    await openDialog(page)
    wallet.behave('connect', 'locked')
    await walletEntry(page, wallet.name).click()
    await expectNotice(page, `${wallet.name} is locked`)
    wallet.behave('connect', 'gone')
    await dialogButton(page, 'Retry').click()
    await expectMessage(page, messages.notAvailable(wallet.name))
    for (const behaviour of ['fail', 'nonsense'] as const) {
      wallet.behave('connect', behaviour)
      await dialogButton(page, 'Retry').click()
      await expectMessage(page, messages.oops)
      await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    }
    wallet.behave('connect', 'reject')
    await dialogButton(page, 'Retry').click()
    const notice = await expectNotice(page, 'Request rejected')
    expect(await notice.textContent()).not.toContain('WALLET_')
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.behave('connect', 'answer')
    await dialogButton(page, 'Retry').click()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  })

  test('behavior: a pending request is not sent a second time', async () => {
    const { page, url, wallet } = await scene.owner(team.anna.privateKey)
    const asked = () => wallet.requests.filter(({ method }) => /request(Permissions|Accounts)$/.test(method)).length
    await page.goto(url)
    await openDialog(page)
    wallet.behave('connect', 'already-pending')
    await walletEntry(page, wallet.name).click()
    await expectNotice(page, `A request is already open in ${wallet.name}. Open it to continue.`)
    expect(asked()).toBe(1)
    // Our own request, still open: the dialog closed, opened, the wallet picked again.
    wallet.behave('connect', 'hold')
    await dialogButton(page, 'Retry').click()
    await dialog(page).getByText(`Waiting for ${wallet.name}`).waitFor()
    await page.keyboard.press('Escape')
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await openDialog(page)
    await walletEntry(page, wallet.name).click()
    await dialog(page).getByText(`Waiting for ${wallet.name}`).waitFor()
    expect(asked()).toBe(2)
    wallet.release()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  })

  test.each(['Escape', 'All wallets'])(
    'behavior: %s while a wallet is asked ends the waiting; its late answer connects nothing, and it is told so',
    async (way) => {
      const { page, url, wallet } = await scene.owner(team.anna.privateKey)
      const told = () => wallet.requests.filter(({ method }) => method === 'wallet_revokePermissions').length
      await page.goto(url)
      await openDialog(page)
      wallet.behave('connect', 'hold')
      await walletEntry(page, wallet.name).click()
      await dialog(page).getByText(`Waiting for ${wallet.name}`).waitFor()
      await connectionStatus(page, 'connecting').waitFor({ state: 'attached' })
      if (way === 'Escape') {
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
      } else await dialogButton(page, way).click()
      await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
      wallet.release()
      await expect.poll(told).toBe(1)
      expect(await connectionStatus(page, 'disconnected').count()).toBe(1)
      if (way === 'Escape') await openDialog(page)
      wallet.behave('connect', 'answer')
      await walletEntry(page, wallet.name).click()
      await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    },
  )

  test('behavior: of two wallets that answer, the one picked last stays', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const other = await installWallet(anna.context, {
      privateKey: team.bruno.privateKey,
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      name: 'Other Wallet',
      rdns: 'org.countersign.other',
    })
    const { page, wallet } = anna
    await page.goto(anna.url)
    await openDialog(page)
    wallet.behave('connect', 'hold')
    await walletEntry(page, wallet.name).click()
    await dialogButton(page, 'All wallets').click()
    await walletEntry(page, other.name).click()
    await dialog(page).locator(`[data-address="${other.address}"]`).waitFor()
    wallet.release()
    await expect.poll(() => wallet.requests.some(({ method }) => method === 'wallet_revokePermissions')).toBe(true)
    expect(await dialog(page).locator(`[data-address="${wallet.address}"]`).count()).toBe(0)
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  })

  test('behavior: a wallet at window.ethereum that disappears is not available', async () => {
    const { page, url } = await scene.owner(team.anna.privateKey, { appears: 'injected' })
    await page.goto(url)
    await openDialog(page)
    const entry = walletEntry(page, 'Browser wallet')
    await entry.waitFor()
    await page.evaluate(() => Reflect.deleteProperty(window, 'ethereum'))
    await entry.click()
    await expectMessage(page, messages.notAvailable('Browser wallet'))
  })

  test('behavior: the dialog shows that a screen cannot be loaded, and Retry loads it, whichever file was missing', async () => {
    for (const file of [/assets\/wallet-screens-/, /assets\/writing-/]) {
      const anna = await scene.owner(team.anna.privateKey, metaMask)
      const { page, url, watch } = anna
      watch.expect(/ERR_FAILED|console: /)
      await page.goto(url)
      await page.route(file, (route) => route.abort())
      await page.getByRole('banner').getByRole('button').click()
      await expectMessage(page, messages.oops)
      await dialogButton(page, 'Retry').click()
      await expectMessage(page, messages.oops)
      await page.unroute(file)
      expect(await dialogButton(page, 'Reload the page').count()).toBe(1)
      await dialogButton(page, 'Retry').click()
      // There is one connection in the page: its modules are there once.
      await walletEntry(page, 'MetaMask').click()
      await verify(anna)
      await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    }
  })

  test('behavior: names the server that cannot be reached, and Retry works once it is back', async () => {
    const { page, url, watch } = await scene.visitor()
    watch.expect(/ERR_FAILED|console: /)
    await page.goto(url)
    const isLost = ({ pathname }: URL) => pathname === '/' || /wallet-screens-/.test(pathname)
    await page.route(isLost, (route) => route.abort())
    await page.getByRole('banner').getByRole('button').click()
    await expectMessage(page, 'The Countersign server cannot be reached')
    await page.unroute(isLost)
    await dialogButton(page, 'Retry').click()
    await walletEntry(page, names.demoWallet).waitFor()
  })

  test('behavior: the list of wallets loads no code for the page after sign-in, and fits its budget', () => {
    const folder = join(import.meta.dirname, '../../../dist/web/assets')
    const files = readdirSync(folder)
    const find = (name: string) => files.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js')) ?? name
    const needed = new Map<string, number>()
    const need = (file: string): void => {
      if (needed.has(file)) return
      const code = readFileSync(join(folder, file))
      needed.set(file, gzipSync(code, { level: 9 }).length)
      for (const [, other = ''] of code.toString().matchAll(/(?:import|from)"\.\/([^"]+\.js)"/g)) need(other)
    }
    for (const name of ['index', 'first', 'en-first', 'wallet-screens', 'en-dialog']) need(find(name))
    expect(
      [...needed.keys()].filter((file) => /^(my-safes|safe|verdicts|reviews|messages|lists|home)-/.test(file)),
    ).toEqual([])
    expect([...needed.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(220_000)
  })
})

describe('the next visit', () => {
  test('behavior: the wallet used last reconnects by itself and asks nothing; when locked the session stays', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await signIn(anna)
    const statuses = await recordStatuses(page)
    const asked = wallet.requests.length
    await answerSessionLate(page)
    await page.reload()
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    await page.unroute('**/api/session')
    expect((await statuses()).sort()).toEqual(
      expect.arrayContaining(['authenticated', 'connected', 'loading', 'reconnecting']),
    )
    expect(await statuses()).not.toContain('connecting')
    expect(wallet.requests.length).toBe(asked)
    await wallet.lock()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    await openDialog(page)
    await dialog(page).getByText('You are signed in as').waitFor()
    await dialog(page).getByText('Recent', { exact: true }).waitFor()
    // A sign-out that did not happen is said, not hidden.
    anna.watch.expect(/ERR_FAILED/)
    await page.route('**/api/session', (route) => route.abort())
    await dialogButton(page, 'Sign out').click()
    await dialog(page).getByText('You are still signed in').waitFor()
    await page.unroute('**/api/session')
    await dialogButton(page, 'Sign out').click()
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
  })

  test('behavior: a wallet that hangs blocks nothing, and another can be connected meanwhile', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    wallet.behave('accounts', 'hold')
    await page.reload()
    await connectionStatus(page, 'reconnecting').waitFor({ state: 'attached' })
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    wallet.behave('accounts', 'answer')
    await connect(anna)
    await verify(anna)
  })

  test('behavior: disconnected here means disconnected, also when the account is switched in the wallet later', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    await dialogButton(page, 'Disconnect').click()
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await wallet.switchAccount(team.bruno.privateKey)
    await page.reload()
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
  })
})
