import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect, connectionStatus, verify, walletEntry } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog, dialogButton, expectNotice, openDialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  // Every kind of wallet that there is; the other hosts are never reached.
  scene = await startScene({
    configuration: {
      chains: [],
      coinbase: true,
      safeApp: { allowedHosts: ['https://safe.example'] },
      walletConnect: { relayUrl: 'wss://relay.example' },
    },
  })
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const name = 'Coinbase Wallet'

/** Somebody without any wallet, and what stands at keys.coinbase.com: a page that never answers. */
async function visitor() {
  const { page, url, context, watch } = await scene.visitor()
  await context.route('https://keys.coinbase.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Keys</title>' }),
  )
  // The window is a page of the same profile, and leaves the product by being opened.
  watch.expect(/request left: https:\/\/keys\.coinbase\.com\/connect/)
  await page.goto(url)
  await openDialog(page)
  return { page, context }
}

/** As a person does: once it stands there. Chromium can wait without end for one that is closed while it opens. */
async function closeWindow(popup: Page): Promise<void> {
  await popup.waitForLoadState()
  await popup.close()
}

describe('what only one wallet needs', () => {
  test('behavior: is not fetched before that wallet is picked', async () => {
    const built = fileURLToPath(new URL('../../../dist/web/assets/', import.meta.url))
    const scripts = new Map(
      readdirSync(built)
        .filter((file) => file.endsWith('.js'))
        .map((file) => [file, readFileSync(`${built}${file}`, 'utf8')]),
    )
    const needing = (mark: string) => [...scripts].flatMap(([file, script]) => (script.includes(mark) ? [file] : []))
    const marks = ['keys.coinbase.com', 'irn_publish', 'safe_setSettings']
    for (const mark of marks) expect(needing(mark).length, mark).toBeGreaterThan(0)

    const { page, url, watch } = await scene.visitor()
    watch.expect(/request left: https:\/\/keys\.coinbase\.com\/connect/)
    await page.context().route('https://keys.coinbase.com/**', (route) => route.fulfill({ body: '' }))
    const fetched: string[] = []
    page.on('request', (request) => void fetched.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await page.goto(url)
    await openDialog(page)
    for (const entry of ['Coinbase Wallet', 'Safe', 'WalletConnect']) await walletEntry(page, entry).waitFor()
    expect(fetched.filter((file) => scripts.has(file)).length).toBeGreaterThan(0)
    expect(marks.flatMap(needing).filter((file) => fetched.includes(file))).toEqual([])
    await walletEntry(page, name).click()
    await expect.poll(() => needing('keys.coinbase.com').some((file) => fetched.includes(file))).toBe(true)
    expect(
      marks
        .slice(1)
        .flatMap(needing)
        .filter((file) => fetched.includes(file)),
    ).toEqual([])
  })
})

describe('Coinbase Wallet', () => {
  test('behavior: its extension is preferred, and no window is opened', async () => {
    const anna = await scene.owner(team.anna.privateKey, { name, rdns: 'com.coinbase.wallet' })
    await anna.page.goto(anna.url)
    await openDialog(anna.page)
    await walletEntry(anna.page, name).first().waitFor()
    expect(await walletEntry(anna.page, name).count()).toBe(1)
    await connect(anna)
    await verify(anna)
    expect(anna.context.pages()).toHaveLength(1)
  })

  test('behavior: reports a closed window, and the next attempt opens another', async () => {
    const { page, context } = await visitor()
    const opening = context.waitForEvent('page')
    await walletEntry(page, name).click()
    const popup = await opening
    await popup.waitForLoadState()
    expect(new URL(popup.url()).host).toBe('keys.coinbase.com')
    await dialog(page).getByText(`Answer the request in the window of ${name}.`).waitFor()
    await popup.close()
    await expectNotice(page, `The window of ${name} was closed`)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    const another = context.waitForEvent('page')
    await dialogButton(page, 'Retry').click()
    await closeWindow(await another)
    await expectNotice(page, `The window of ${name} was closed`)
  })

  test('behavior: reports a blocked window only in our own words, and the next attempt works', async () => {
    const { page, context } = await visitor()
    // Chromium lets a test open whatever it likes: this is what a page sees of a window that was blocked.
    await page.evaluate(() => {
      const open = window.open
      let wasBlocked = false
      window.open = (...args) => {
        if (wasBlocked) return open.apply(window, args)
        wasBlocked = true
        return null
      }
    })
    await walletEntry(page, name).click()
    await expectNotice(page, `The window of ${name} was blocked`)
    expect(await page.locator('[class*="cbwsdk"]').count()).toBe(0)
    expect(context.pages()).toHaveLength(1)
    const opening = context.waitForEvent('page')
    await dialogButton(page, 'Retry').click()
    await closeWindow(await opening)
    await expectNotice(page, `The window of ${name} was closed`)
    await dialog(page).waitFor()
  })
})
