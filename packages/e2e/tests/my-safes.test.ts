import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack } from '../src/people/owner.ts'
import { addSafeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('My Safes', () => {
  test('behavior: names can be read where the Safe is switched, on the narrowest screen with the largest text', async () => {
    const safes = [await scene.newSafe(), await scene.newSafe()]
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    for (const { safeAddress } of safes) await addSafeByScript(script, safeAddress)
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna, '/')
    await page
      .getByRole('button', { name: /^Switch Safe/ })
      .or(page.getByRole('button', { name: /^All my Safes/ }))
      .first()
      .click()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const names = dialog(page).getByRole('listitem').getByText('Not named yet')
    await names.nth(1).waitFor()
    for (const name of await names.all())
      expect(await name.evaluate((element) => element.clientWidth)).toBeGreaterThan(150)
  })
})
