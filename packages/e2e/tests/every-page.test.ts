import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyPath } from '../src/every-page.ts'
import { countShifts, shiftOf } from '../src/layout-shift.ts'
import { comeBack } from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { readDemoQueue, signInByScript } from '../src/script-owner.ts'
import { demoOwners } from '../src/team.ts'

/** The most that a page may move by itself while it loads: the sum of its layout shifts. */
const MAX_SHIFT = 0.05

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())

describe('every page', () => {
  test('behavior: has a title of its own, that ends with the name of the product', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    await comeBack(owner)
    const demo = await readDemoQueue(await signInByScript(owner.url, demoOwners[0].privateKey, scene.chainId))
    const { page, url } = owner
    const titles = new Map<string, string>()
    for (const [name, path] of Object.entries(everyPath(scene.chainId, demo))) {
      await page.goto(`${url}${path}`)
      await page.locator('h1').first().waitFor()
      await expect.poll(() => page.title()).toMatch(/^[^·].* · Countersign$/)
      // While it loads, a page may have the title of another that loads.
      await expect.poll(async () => titles.get(await page.title()), { message: name }).toBeUndefined()
      titles.set(await page.title(), name)
    }
  })

  test(`behavior: moves by ${MAX_SHIFT} at most while it loads`, async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    await comeBack(owner)
    const demo = await readDemoQueue(await signInByScript(owner.url, demoOwners[0].privateKey, scene.chainId))
    const page = await owner.context.newPage()
    await countShifts(page)
    const devTools = await owner.context.newCDPSession(page)
    const moved: string[] = []
    for (const [name, path] of Object.entries(everyPath(scene.chainId, demo))) {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        // A phone is slower: more of what comes after another is drawn after it.
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: width === 320 ? 4 : 1 })
        const { sum, what } = await shiftOf(page, `${owner.url}${path}`)
        if (sum > MAX_SHIFT) moved.push(`${name} at ${width} px: ${sum} ${what[0]}`)
      }
    }
    expect(moved).toEqual([])
  })
})
