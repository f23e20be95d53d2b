import { type Address, getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, safePath } from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('My Safes', () => {
  test('behavior: one is hidden and shown again by keyboard, and stands last where the Safe is switched', async () => {
    const [busy, quiet, other] = [await scene.newSafe(), await scene.newSafe(), await scene.newSafe()]
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
    for (const { safeAddress } of [busy, quiet, other]) await addSafeByScript(script, safeAddress)
    await proposeByScript(bruno, busy, { to: team.stranger.address, nonce: 0n })
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna, '/')
    const row = (safeAddress: Address) => page.locator(`[data-safe="${safeAddress}" i]`)
    // Where something waits nothing can be hidden.
    await row(busy.safeAddress).waitFor()
    expect(await row(busy.safeAddress).getByRole('button').count()).toBe(0)
    await row(quiet.safeAddress).getByRole('button', { name: /^Hide/ }).focus()
    await page.keyboard.press('Enter')
    await row(quiet.safeAddress).waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Show 1 hidden Safe')
    await page
      .getByRole('button', { name: /^Switch Safe/ })
      .or(page.getByRole('button', { name: /^All my Safes/ }))
      .first()
      .click()
    const choices = dialog(page).getByRole('listitem').getByRole('link')
    await choices.nth(2).waitFor()
    const listed = await choices.evaluateAll((links) => links.map((link) => link.getAttribute('title')))
    expect(listed[0]).toBe(busy.safeAddress)
    expect(listed[2]).toBe(quiet.safeAddress)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    // Names can be read on the narrowest screen with the largest text, too.
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const names = dialog(page).getByRole('listitem').getByText('Not named yet')
    for (const name of await names.all())
      expect(await name.evaluate((element) => element.clientWidth)).toBeGreaterThan(150)
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Show 1 hidden Safe' }).click()
    await row(quiet.safeAddress).getByRole('button').click()
    await page.getByRole('button', { name: 'Show 1 hidden Safe' }).waitFor({ state: 'detached' })
    await row(quiet.safeAddress).waitFor()
  })

  test('behavior: of two whose addresses begin and end alike both are marked, also where the Safe is switched', async () => {
    const { safeAddress } = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(script, safeAddress)
    const imitation = getAddress(`${safeAddress.slice(0, 6)}${'1'.repeat(32)}${safeAddress.slice(-4)}`)
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await page.route('**/api/safes', async (route) => {
      const answer = await route.fetch()
      const { safes } = await answer.json()
      const known = safes.find(({ address }: { address: string }) => address === safeAddress)
      await route.fulfill({ response: answer, json: { safes: [...safes, { ...known, address: imitation }] } })
    })
    await comeBack(anna, '/')
    const said = 'Address looks like that of another of your Safes'
    for (const address of [safeAddress, imitation])
      await page.locator(`[data-safe="${address}" i]`).getByText(said).waitFor()
    await page.goto(`${anna.url}${safePath(scene.chainId, safeAddress)}`)
    await page.getByRole('button', { name: /^Switch Safe/ }).click()
    await expect.poll(() => dialog(page).getByText(said).count()).toBe(2)
  })

  test('behavior: the tour of the demo Safe is for its owners; others are told so', async () => {
    const [stranger, owner] = [await scene.owner(team.stranger.privateKey), await scene.owner(demoOwners[0].privateKey)]
    await comeBack(stranger, '/')
    await stranger.page.getByText('connect with the Demo wallet as one of its owners').waitFor()
    expect(await stranger.page.getByRole('button', { name: /tour of the demo Safe/ }).count()).toBe(0)
    await comeBack(owner, '/')
    await owner.page.getByRole('button', { name: 'Take the tour of the demo Safe' }).click()
    await owner.page.getByRole('link', { name: 'Go to the demo Safe' }).waitFor()
  })
})
