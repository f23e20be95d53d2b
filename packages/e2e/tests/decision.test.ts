import type { newSafeTx } from '@countersign/safe'
import type { Locator, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from '../src/browser/faults.ts'
import { comeBack, confirmButton, executeButton, type Owner, openTransaction, statusText } from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const phone = { width: 360, height: 740 }

/** Bruno with his phone, and a Safe in which Anna has proposed. */
async function brunoOnPhone(): Promise<{ safe: SafeAt; bruno: Owner; propose: Proposing }> {
  const safe = await scene.newSafe()
  const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  const bruno = await scene.owner(team.bruno.privateKey)
  await bruno.page.setViewportSize(phone)
  await comeBack(bruno)
  return { safe, bruno, propose: async (fields) => (await proposeByScript(anna, safe, fields)).safeTxHash }
}
type Proposing = (fields: Parameters<typeof newSafeTx>[0]) => Promise<Hex>

const bar = (page: Page) => page.locator('[data-decision-bar]')

async function isInView(part: Locator): Promise<boolean> {
  const box = await part.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= phone.height
}

describe('what is decided, on a phone', () => {
  test('default: the verdict stays in sight, and one link leads to Confirm, with the focus', async () => {
    const { safe, bruno, propose } = await brunoOnPhone()
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, await propose({ to: team.stranger.address, value: 1n, nonce: 0n }))
    await page.locator('[data-decision-bar="confirmation"]').waitFor()
    expect(await isInView(bar(page))).toBe(true)
    expect(await bar(page).textContent()).toContain('Matches1 of 2 confirmations')
    // It leads to the decision and is none.
    expect(await bar(page).getByRole('button').count()).toBe(0)
    expect(await isInView(confirmButton(page))).toBe(false)
    expect(await violationsOf(page, 'body')).toEqual([])

    await bar(page).getByRole('link', { name: 'Go to Confirm' }).click()
    expect(await isInView(confirmButton(page))).toBe(true)
    expect(await isInView(bar(page))).toBe(false)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Confirm')
    await page.keyboard.press('Enter')
    await statusText(page, '2 of 2 confirmations').waitFor()
    await page.locator('[data-decision-bar="execution"]').getByRole('link', { name: 'Go to Execute' }).click()
    expect(await isInView(executeButton(page))).toBe(true)
  })

  test('behavior: nothing that gets the focus is hidden under it', async () => {
    const { safe, bruno, propose } = await brunoOnPhone()
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, await propose({ to: team.stranger.address, value: 1n, nonce: 0n }))
    await page.locator('[data-decision-bar="confirmation"]').waitFor()
    let looked = 0
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      const hidden = await page.evaluate(() => {
        const focused = document.activeElement
        const bar = document.querySelector('[data-decision-bar]')
        if (!focused || !bar || focused === document.body || bar.contains(focused)) return null
        const [of, by] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
        return of.bottom > by.top && of.top < by.bottom ? focused.outerHTML.slice(0, 200) : 'free'
      })
      expect(hidden === null || hidden === 'free' ? 'free' : hidden).toBe('free')
      if (hidden === 'free') looked++
    }
    expect(looked).toBeGreaterThan(20)
  })
})
