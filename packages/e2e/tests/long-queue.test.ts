import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comeBack, confirmButton, executeButton, safePath } from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())

const COUNT = 40

test('behavior: rows far from the window are their titles alone, and whole once they come near', async () => {
  const safe = await scene.newSafe()
  const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  for (let nonce = 0n; nonce < COUNT; nonce += 1n)
    await proposeByScript(anna, safe, { to: team.stranger.address, value: nonce + 1n, nonce })
  const bruno = await scene.owner(team.bruno.privateKey)
  const { page } = bruno
  await page.setViewportSize({ width: 360, height: 740 })
  await comeBack(bruno, `${safePath(scene.chainId, safe.safeAddress)}/queue`)
  const group = (nonce: number) => page.locator(`[data-nonce="${nonce}"]`)
  await group(0).locator('[data-row]').waitFor()
  await expect
    .poll(() =>
      group(COUNT - 1)
        .locator('[data-row]')
        .count(),
    )
    .toBe(0)
  // All that wait are counted, and not those alone that came near.
  expect(await page.locator('[data-awaiting-me]').getAttribute('data-awaiting-me')).toBe(String(COUNT))
  expect(await page.title()).toMatch(new RegExp(`^${COUNT} need you`))
  // The first rows are reviewed before they are scrolled into view.
  await group(6).locator('[data-listed-verdict="matches"]').waitFor()
  // The browser's own search finds it all the same.
  expect(await group(COUNT - 1).textContent()).toContain('Send 0.00000000000000004 ETH')

  // The focus keeps its row, however far the reader scrolls.
  await group(0).getByRole('link').first().focus()
  await group(COUNT - 1).scrollIntoViewIfNeeded()
  await group(COUNT - 1)
    .locator('[data-listed-verdict="matches"]')
    .waitFor()
  expect(await group(0).locator('[data-row]').count()).toBe(1)
  await expect.poll(() => group(5).locator('[data-row]').count()).toBe(0)

  await page.getByRole('searchbox').fill('0.00000000000000002 ETH')
  await expect.poll(() => page.locator('[data-nonce]').count()).toBe(1)
  await group(19).locator('[data-row]').waitFor()
  await page.getByRole('status').filter({ hasText: '1 proposal fits' }).waitFor()

  // The link to the list shows another owner the same part of it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = page.getByRole('button', { name: 'Copy the link to this list' })
  await copy.click()
  await copy.filter({ hasText: 'Copied' }).waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto(`${bruno.url}/`)
  await page.goto(link)
  await group(19).locator('[data-row]').waitFor()
  expect(await page.locator('[data-nonce]').count()).toBe(1)
  await page.getByRole('searchbox').fill('')

  // The way through all that wait stays where none of them is shown.
  await page.getByLabel('Show').selectOption('ready')
  await expect.poll(() => page.locator('[data-nonce]').count()).toBeLessThan(COUNT)
  await page.getByRole('link', { name: 'Review one after the other' }).waitFor()
  await page.getByLabel('Show').selectOption('all')

  // Where there is room, a row is dense.
  await page.setViewportSize({ width: 1280, height: 900 })
  await group(1).locator('[data-listed-verdict="matches"]').waitFor()
  const heights = await page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(heights.length).toBeGreaterThan(5)
  expect(Math.max(...heights)).toBeLessThanOrEqual(72)

  // Several are signed in a row: each review, then the way to the next.
  const hashOf = async (nonce: number) => (await group(nonce).locator('[data-row]').getAttribute('data-row')) as Hex
  const first = await hashOf(0)
  await group(1).getByRole('link').first().click()
  await confirmButton(page).click()
  await page.locator(`[data-next="${first}"]`).getByRole('link').first().click()
  await page.waitForURL((url) => url.pathname.endsWith(first))
  await confirmButton(page).click()
  // The first of the queue has all it needs: what comes next is its execution.
  await executeButton(page).waitFor()
})
