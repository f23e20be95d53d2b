import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmButton,
  connect,
  connectionStatus,
  names,
  openTransaction,
  signIn,
  verify,
} from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog, dialogButton, signButton } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

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

describe('another account in the wallet than in the session', () => {
  test('behavior: nothing is written or signed, reading stays, whose session it is is said; verifying ends it', async () => {
    const safe = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
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
    await expect
      .poll(async () => (await confirmButton(page).count()) === 1 && confirmButton(page).isEnabled())
      .toBe(true)
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
