import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addSafe, comeBack, names, type Owner, safePath, safeTxHashOf, tickAll } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// Drafts that a browser keeps after their tab was closed.

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

async function ownerAt(safe: SafeAt, { privateKey }: typeof team.anna): Promise<Owner> {
  const owner = await scene.owner(privateKey)
  await comeBack(owner)
  await addSafe(owner, safe.safeAddress)
  return owner
}

async function openForm(page: Page, { chainId, safeAddress }: SafeAt): Promise<void> {
  await page.goto(`${scene.product.url}${safePath(chainId, safeAddress)}/new`)
  await page.getByLabel('Type', { exact: true }).waitFor()
}

/** Closes the tab, as a person does at the end of the day, and opens the form in a new one. */
async function inNewTab({ page, context }: Pick<Owner, 'page' | 'context'>, safe: SafeAt): Promise<Page> {
  const next = await context.newPage()
  await page.close()
  await openForm(next, safe)
  return next
}

async function pay(page: Page, amount: string): Promise<void> {
  await page.getByLabel(names.recipient, { exact: true }).fill(team.stranger.address)
  await page.getByLabel(names.amount, { exact: true }).fill(amount)
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const amountIn = (page: Page) => page.getByLabel(names.amount, { exact: true }).inputValue()
const unfinished = (page: Page) => page.locator('[data-unfinished]')
const goOn = (page: Page, amount: string) =>
  page.getByRole('button', { name: `Go on with Send an asset · ${amount} · ${team.stranger.address}`, exact: true })

describe('an unfinished draft', () => {
  test('behavior: outlives its tab, is the account’s own, and is written over by no other tab', async () => {
    const safe = await scene.newSafe()
    const anna = await ownerAt(safe, team.anna)
    await openForm(anna.page, safe)
    expect(await unfinished(anna.page).count()).toBe(0)
    await pay(anna.page, '0.1')
    const page = await inNewTab(anna, safe)
    expect(await amountIn(page)).toBe('')
    await goOn(page, '0.1').click()
    await expect.poll(() => amountIn(page)).toBe('0.1')

    // Another tab goes on with the same draft; this one does not see that, and goes on as well.
    const other = await anna.context.newPage()
    await openForm(other, safe)
    await goOn(other, '0.1').click()
    await other.getByLabel(names.amount, { exact: true }).fill('0.2')
    await page.getByLabel(names.amount, { exact: true }).fill('0.3')
    expect([await amountIn(page), await amountIn(other)]).toEqual(['0.3', '0.2'])
    await other.close()

    // On a phone: both are there, the one in the form is put aside for the other, and one is discarded.
    await page.setViewportSize({ width: 360, height: 740 })
    await unfinished(page).locator('summary').click()
    await goOn(page, '0.2').click()
    await expect.poll(() => amountIn(page)).toBe('0.2')
    await page.reload()
    await expect.poll(() => amountIn(page)).toBe('0.2')
    await unfinished(page).locator('summary').click()
    await press(page, 'Put this draft aside and begin another')
    await expect.poll(() => amountIn(page)).toBe('')
    await goOn(page, '0.3').waitFor()
    await press(page, `Discard Send an asset · 0.3 · ${team.stranger.address}`)
    await expect.poll(() => goOn(page, '0.3').count()).toBe(0)

    // Another owner of the same Safe, in a browser that keeps all of this.
    const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('.draft.')))
    expect(kept).toHaveLength(1)
    const bruno = await ownerAt(safe, team.bruno)
    await bruno.page.goto(bruno.url)
    await bruno.page.evaluate((entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value)
    }, kept)
    await openForm(bruno.page, safe)
    expect(await unfinished(bruno.page).count()).toBe(0)

    // Proposed, it is kept no longer.
    await goOn(page, '0.2').click()
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    await safeTxHashOf(page)
    await openForm(page, safe)
    expect(await unfinished(page).count()).toBe(0)
  })

  test('behavior: whose answer got lost before the tab was closed is not proposed a second time', async () => {
    const safe = await scene.newSafe()
    const anna = await ownerAt(safe, team.anna)
    await openForm(anna.page, safe)
    await pay(anna.page, '0.1')
    await press(anna.page, names.review)
    await tickAll(anna.page)
    anna.watch.expect(/Failed to load resource|ERR_FAILED|requestfailed|request failed/i)
    await anna.page.route(/\/transactions$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await press(anna.page, names.propose)
    await anna.page.getByRole('alert').first().waitFor()
    const page = await inNewTab(anna, safe)
    await goOn(page, '0.1').click()
    await page.getByText('This draft was proposed').waitFor()
    await press(page, 'Start a new one')
    await expect.poll(() => amountIn(page)).toBe('')
    expect(await unfinished(page).count()).toBe(0)
  })
})
