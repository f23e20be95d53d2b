import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, sectionPath } from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('settings of a person', () => {
  test('behavior: a theme holds at once, after a reload and in another tab', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    const { page, url, context } = anna
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto(`${url}/account`)
    const theme = page.getByLabel('Theme', { exact: true })
    await theme.selectOption('light')
    const light = await paper()
    await theme.selectOption('dark')
    expect(await paper()).not.toBe(light)
    await page.reload()
    await theme.waitFor()
    expect(await theme.inputValue()).toBe('dark')
    expect(await paper()).not.toBe(light)
    const other = await context.newPage()
    await other.goto(url)
    await other.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  })

  test('behavior: notifications are asked for when somebody wants them, and come while the tab is hidden', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, url, context } = anna
    await context.addInitScript(() => {
      const told: string[] = []
      Object.assign(window, { told, asked: 0 })
      class Told {
        static permission = localStorage.getItem('granted') ?? 'default'
        static requestPermission = async () => {
          Object.assign(window, { asked: 1 })
          localStorage.setItem('granted', 'granted')
          Told.permission = 'granted'
          return Told.permission
        }
        constructor(title: string) {
          told.push(title)
        }
      }
      Object.assign(window, { Notification: Told })
      Object.defineProperty(document, 'hidden', { get: () => localStorage.getItem('hidden') === 'yes' })
    })
    const asked = () => page.evaluate(() => Reflect.get(window, 'asked') as number)
    const told = () => page.evaluate(() => Reflect.get(window, 'told') as string[])
    await comeBack(anna)
    await page.goto(`${url}/account`)
    await page.locator('[data-notifications="off"]').waitFor()
    expect(await asked()).toBe(0)
    await page.getByRole('button', { name: 'Turn notifications on' }).click()
    await page.locator('[data-notifications="on"]').waitFor()
    expect(await asked()).toBe(1)

    const safe = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
    await addSafeByScript(script, safe.safeAddress)
    await page.goto(`${url}${sectionPath(scene.chainId, safe.safeAddress, 'assets')}`)
    await page.locator('[data-live-status="live"]').waitFor()
    // News are told once the part that tells them is loaded; until then the page that opens has them.
    await page.locator('[data-announced]').waitFor({ state: 'attached' })
    const one = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })
    await page.locator(`[data-toast="${one.safeTxHash}"]`).waitFor()
    expect(await told()).toEqual([])
    await page.evaluate(() => localStorage.setItem('hidden', 'yes'))
    await proposeByScript(script, safe, { to: team.stranger.address, nonce: 1n })
    await expect.poll(told).toEqual([expect.stringMatching(/ proposed: Call /)])
  })
})
