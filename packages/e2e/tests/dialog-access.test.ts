import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { connect, connectionStatus, names, sessionStatus, signIn, verify } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog, dialogButton, openDialog } from '../src/wallets/dialog.ts'
import { tourConnecting, tourProfile, tourVerifying } from '../src/wallets/dialog-tour.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('every screen of the dialog: no violation in either theme, and it fits 320 px', () => {
  test.each([
    ['connecting', tourConnecting, 8],
    ['networks and signing in', tourVerifying, 6],
    ['the account', tourProfile, 5],
  ])('behavior: %s', async (_, tour, screens) => {
    const faults: Record<string, string[]> = {}
    await tour(scene, async (page, screen) => {
      faults[screen] = await faultsOf(page)
      expect(await page.getByRole('dialog').count()).toBe(1)
      if (screen === 'profile') await checkSent(page)
    })
    expect(Object.keys(faults)).toHaveLength(screens)
    expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
  })
})

/** Tab until the named control has the focus. It must never leave the open dialog. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const active = document.activeElement
      const open = document.querySelector('dialog[open]')
      return {
        isOutside: open !== null && !open.contains(active),
        name: active?.getAttribute('aria-label') ?? active?.textContent ?? '',
      }
    })
    expect(focused.isOutside, `the focus left the dialog for ${focused.name}`).toBe(false)
    if (name.test(focused.name)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

async function pressOn(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

describe('the head of the page', () => {
  test('behavior: one line at 360 and 320 px, whatever it has to say', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, context } = anna
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED/)
    const heightAt = async (width: number) => {
      await page.setViewportSize({ width, height: 700 })
      return page.locator('[data-head]').evaluate((head) => head.getBoundingClientRect().height)
    }
    /** As high as where there is room for everything, and that is one line of the largest button. */
    const expectOneLine = async () => {
      const withRoom = await heightAt(700)
      expect(withRoom).toBeLessThanOrEqual(61)
      expect({ 360: await heightAt(360), 320: await heightAt(320) }).toEqual({ 360: withRoom, 320: withRoom })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    }
    await page.goto(anna.url)
    await page.getByRole('banner').getByRole('button').waitFor()
    await expectOneLine()
    await connect(anna)
    await dialogButton(page, names.sign).waitFor()
    await expectOneLine()
    await verify(anna)
    await page.locator('[data-live-status]').waitFor()
    await page.getByRole('navigation', { name: 'Safes' }).waitFor()
    await expectOneLine()
    await context.setOffline(true)
    await page.locator('[data-live-status="offline"]').waitFor()
    await expectOneLine()
    await context.setOffline(false)
    await page.locator('[data-live-status="live"]').waitFor()
    await anna.wallet.switchAccount(team.bruno.privateKey)
    await page.getByRole('banner').getByRole('button', { name: 'Another account' }).waitFor()
    await expectOneLine()
  })
})

describe('a dialog longer than the window', () => {
  test('behavior: its head stays in sight, and nothing that has the focus is below it', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await signIn(anna)
    await page.setViewportSize({ width: 360, height: 480 })
    await openDialog(page)
    const last = dialog(page).getByRole('link', { name: 'API tokens for scripts' })
    await last.focus()
    const overlaps: string[] = []
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Shift+Tab')
      const { name, isInHead, top, bottom, head } = await page.evaluate(() => {
        const active = document.activeElement
        const close = [...document.querySelectorAll('dialog[open] button')].find(
          (button) => button.textContent === 'Close',
        )
        const rect = active?.getBoundingClientRect()
        const head = close?.parentElement?.getBoundingClientRect()
        return {
          name: active?.textContent ?? '',
          isInHead: active === close,
          top: rect?.top ?? 0,
          bottom: rect?.bottom ?? 0,
          head: { top: head?.top ?? -1, bottom: head?.bottom ?? 0 },
        }
      })
      expect(head.top).toBeGreaterThanOrEqual(0)
      if (!isInHead && (top < head.bottom || bottom > 480)) overlaps.push(name)
      if (isInHead) break
    }
    expect(overlaps).toEqual([])
    await last.focus()
    await dialogButton(page, 'Close').click()
    await dialog(page).waitFor({ state: 'detached' })
  })
})

describe('by keyboard alone', () => {
  test('behavior: get a wallet, connect, sign in, account, networks, sign out, disconnect', async () => {
    const { page, url, wallet } = await scene.owner(team.anna.privateKey)
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.goto(url)
    await page.getByRole('banner').getByRole('button', { name: names.connect }).waitFor()
    await pressOn(page, /^Connect wallet$/)
    await dialog(page).locator('button[data-wallet]').first().waitFor()
    await pressOn(page, /^Get a wallet$/)
    await dialog(page).getByRole('heading', { name: 'What a wallet is' }).waitFor()
    // The pressed button is gone: a screen reader starts at the heading of the new step.
    await expect.poll(focusedText).toBe('Get a wallet')
    // Backwards from there is the end of the dialog, not what stands before it.
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('dialog[open]') !== null)).toBe(true)
    expect(await focusedText()).not.toBe('Get a wallet')
    await pressOn(page, /^All wallets$/)
    wallet.behave('connect', 'reject')
    await dialog(page).locator('button[data-wallet]').first().waitFor()
    await pressOn(page, new RegExp(wallet.name))
    await dialogButton(page, 'Retry').waitFor()
    wallet.behave('connect', 'answer')
    await pressOn(page, /^Retry$/)
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    await dialogButton(page, names.sign).waitFor()
    await pressOn(page, /^The message$/)
    await dialog(page).locator('[data-sign-in-message]').waitFor()
    await pressOn(page, /^Sign the message$/)
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    await dialog(page).waitFor({ state: 'detached' })
    // Back at the opener, which is now the account.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(wallet.address)
    await page.keyboard.press('Enter')
    await dialogButton(page, 'Sign out').waitFor()
    await pressOn(page, /^Copy address/)
    await dialog(page).getByText('Copied').waitFor()
    await pressOn(page, /^Switch networks$/)
    await dialog(page).locator('[data-chain]').first().waitFor()
    await pressOn(page, /^Your account$/)
    await dialogButton(page, 'Sign out').waitFor()
    await pressOn(page, /^Sign out$/)
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    await dialogButton(page, 'Disconnect').waitFor()
    await pressOn(page, /^Disconnect$/)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    await dialog(page).locator('button[data-wallet]').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })
})

/** Sent transactions are kept per account and chain, outlive a reload, and can be cleared. */
async function checkSent(page: Page): Promise<void> {
  const sent = dialog(page).locator('[data-sent]')
  expect(await sent.count()).toBe(1)
  await page.reload()
  await openDialog(page)
  await sent.getByText('Succeeded').waitFor()
  const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('sent-transactions')))
  expect(keys).toHaveLength(1)
  expect(keys[0]).toContain(`.${scene.chainId}.0x`)
  await dialogButton(page, 'Clear').click()
  await dialog(page).getByText('No transactions sent from this browser').waitFor()
  expect(await sent.count()).toBe(0)
}
