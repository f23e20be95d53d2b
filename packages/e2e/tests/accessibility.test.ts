import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillProposal, names, openConnectDialog, safePath, signIn, transactionPath, verdict } from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { readDemoQueue, signInByScript } from '../src/script-owner.ts'
import { demoOwners, team } from '../src/team.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** What axe finds against WCAG 2.2 A and AA, one line each, and whether the page fits 320 px. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Colours move to the other theme; axe would read them on their way.
    await page.waitForTimeout(400)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze()
    for (const { id, nodes } of violations)
      faults.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }
  await page.setViewportSize({ width: 320, height: 700 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  if (width > 320) faults.push(`needs ${width} px, has 320`)
  await page.setViewportSize({ width: 1280, height: 900 })
  return faults
}

describe('every screen', () => {
  test('behavior: welcome and the connect dialog, by keyboard alone', async () => {
    const { page, url } = await scene.owner(team.anna.privateKey)
    await page.goto(url)
    const connect = page.getByRole('banner').getByRole('button', { name: names.connect })
    await connect.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await connect.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await connect.evaluate((button) => button === document.activeElement)).toBe(true)
    await openConnectDialog(page)
  })

  test('behavior: the screens of an owner', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    const { page, url } = owner
    await signIn(owner)
    const { safeAddress, harmless, malicious } = await readDemoQueue(
      await signInByScript(url, demoOwners[0].privateKey, scene.chainId),
    )
    const faults: Record<string, string[]> = {}
    await page
      .locator(`a[href*="${safePath(scene.chainId, safeAddress)}" i]`)
      .first()
      .waitFor()
    faults.safes = await faultsOf(page)
    await page.goto(`${url}${safePath(scene.chainId, safeAddress)}`)
    await page.locator(`a[href*="${harmless}"]`).first().waitFor()
    faults.safe = await faultsOf(page)
    await page.goto(`${url}${transactionPath(scene.chainId, safeAddress, harmless)}`)
    await verdict(page, /^matches$/i).waitFor()
    faults.harmless = await faultsOf(page)
    await page.goto(`${url}${transactionPath(scene.chainId, safeAddress, malicious)}`)
    await verdict(page, names.doNotSign).waitFor()
    faults.malicious = await faultsOf(page)
    await fillProposal(owner, safeAddress, { to: team.stranger.address, amount: '0.5' })
    faults.propose = await faultsOf(page)
    await page.goto(`${url}/design`)
    await page.getByRole('heading').first().waitFor()
    faults.design = await faultsOf(page)
    expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
  })
})
