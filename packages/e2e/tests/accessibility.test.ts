import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/faults.ts'
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
    await page.goto(`${url}${safePath(scene.chainId, safeAddress)}`)
    await page.getByRole('navigation').getByRole('link', { name: 'Team' }).click()
    await page.locator('[data-owner]').first().waitFor()
    expect(await page.getByRole('navigation').locator('[aria-current="page"]').allInnerTexts()).toEqual(['Team'])
    faults.team = await faultsOf(page)
    for (const screen of ['book', 'activity']) {
      await page.goto(`${url}${safePath(scene.chainId, safeAddress)}/${screen}`)
      await page.getByRole('listitem').last().waitFor()
      faults[screen] = await faultsOf(page)
    }
    await page.goto(`${url}/tokens`)
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    faults.tokens = await faultsOf(page)
    await page.goto(`${url}/design`)
    await page.getByRole('heading').first().waitFor()
    faults.design = await faultsOf(page)
    expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
  })
})
