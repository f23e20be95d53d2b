import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addSafe, comeBack, connect, type Owner, verify } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(async () => {
  await anna?.page.setViewportSize({ width: 1280, height: 900 })
  anna?.watch.assertNone()
})

/** The page of the Safe in a new load, so that the code of no other page is there. */
async function openSafe({ page, url, chainId }: Owner): Promise<void> {
  await page.goto(`${url}/safes/${chainId}/${safe.safeAddress}/queue`)
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
  await page.getByText('The queue is empty').waitFor()
}

/** Keeps the code of a page on its way until what is returned is called. */
async function holdCode(page: Page, name: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    `**/assets/${name}-*.js`,
    async (route) => {
      await held
      await route.continue()
    },
    { times: 1 },
  )
  return release
}

/** Waits until a page has asked for nothing for a while. */
async function untilQuiet(page: Page): Promise<void> {
  let asked = 0
  const count = () => {
    asked += 1
  }
  page.on('request', count)
  const isQuiet = async () => {
    asked = 0
    await page.waitForTimeout(500)
    return asked === 0
  }
  await expect.poll(isQuiet).toBe(true)
  page.off('request', count)
}

const screen = ({ page }: Owner, name: string) =>
  page.getByRole('navigation', { name: 'This Safe' }).getByRole('link', { name })

describe('the way to a page', () => {
  test('behavior: the title of the page that was gone to has the focus, and names the tab', async () => {
    const { page } = anna
    await openSafe(anna)
    await screen(anna, 'Team').focus()
    await page.keyboard.press('Enter')
    const title = page.getByRole('heading', { level: 1, name: 'Team' })
    await title.waitFor()
    await expect.poll(() => title.evaluate((heading) => heading === document.activeElement)).toBe(true)
    await expect.poll(() => page.title()).toMatch(/^Team · 0x\w{4}…\w{4} on .+ · Countersign$/)
  })

  test('behavior: on a phone the daily places stand in one line at the lower edge, the others one tap away', async () => {
    const { page } = anna
    await openSafe(anna)
    await page.setViewportSize({ width: 360, height: 740 })
    const bar = page.getByRole('navigation', { name: 'This Safe' })
    await page.getByRole('button', { name: 'More' }).waitFor()
    const boxes = await bar
      .locator('li > *')
      .evaluateAll((places) =>
        places.map((place) => place.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
      )
    expect(boxes).toHaveLength(5)
    expect(new Set(boxes.map(([top]) => top)).size).toBe(1)
    expect(boxes.every(([top = 0, bottom = 0]) => bottom <= 740 && bottom - top >= 44)).toBe(true)
    // Words of twice the size follow, in two lines: each place is whole, and in the window.
    await page.setViewportSize({ width: 320, height: 740 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const large = await bar.locator('li > *').evaluateAll((places) =>
      places.map((place) => {
        const { left, right, top, bottom } = place.getBoundingClientRect()
        const isInWindow = left >= 0 && right <= innerWidth && bottom <= innerHeight && bottom - top >= 44
        const words = [...place.querySelectorAll(':scope > span')]
        const isWhole = words.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
        return { size: getComputedStyle(place).fontSize, isInWindow, isWhole }
      }),
    )
    expect(large).toEqual(boxes.map(() => ({ size: '24px', isInWindow: true, isWhole: true })))
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Activity' }).click()
    await page.locator('[data-verb="added-safe"]').waitFor()
    const title = page.getByRole('heading', { level: 1, name: 'Activity' })
    await expect.poll(() => title.evaluate((heading) => heading === document.activeElement)).toBe(true)
  })

  test('behavior: the code that is late is told of, and the page that was left stays until then', async () => {
    const { page } = anna
    await openSafe(anna)
    const release = await holdCode(page, 'team-page')
    await screen(anna, 'Team').click()
    await page.getByText('Loading the page').waitFor()
    await screen(anna, 'Team').waitFor()
    release()
    const title = page.getByRole('heading', { level: 1, name: 'Team' })
    await title.waitFor()
    await expect.poll(() => title.evaluate((heading) => heading === document.activeElement)).toBe(true)
  })

  test('behavior: an address that changes while the first page is still starting is followed', async () => {
    const { page, url, chainId } = anna
    const path = `/safes/${chainId}/${safe.safeAddress}`
    const release = await holdCode(page, 'team-page')
    // Asked for when the router begins; nothing is drawn before it is known.
    await page.route('**/api/configuration', async (route) => {
      await page.evaluate((to) => history.pushState({}, '', to), `${path}/settings`)
      await route.continue()
    })
    await page.goto(`${url}${path}/team`, { waitUntil: 'commit' })
    await page.locator('[data-live-status]').waitFor()
    release()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor({ timeout: 15_000 })
    await page.unroute('**/api/configuration')
  })

  test('behavior: what a page shows is asked for while its code is still on the way', async () => {
    const { page } = anna
    await openSafe(anna)
    const release = await holdCode(page, 'activity-page')
    const asked = page.waitForResponse(/\/activity\?/)
    await screen(anna, 'Activity').click()
    expect((await asked).status()).toBe(200)
    release()
    await page.locator('[data-verb="added-safe"]').waitFor()
  })

  test('behavior: a pointer on a link brings the code, and asks the server for nothing', async () => {
    const { page } = anna
    await openSafe(anna)
    // The page itself asks for names, once it knows that there are some.
    await untilQuiet(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const code = page.waitForResponse(/\/assets\/book-page-/)
    await screen(anna, 'Address book').hover()
    await code
    await page.waitForTimeout(300)
    expect(asked.filter((path) => /\/(names|review-lists)$/.test(path))).toEqual([])
  })

  test('behavior: offline, what has no code yet leaves the page standing, and comes with the network', async () => {
    // The browser's cache has the code of pages that were open before, and gives it without a network: a new profile has none.
    const visitor = await scene.owner(team.anna.privateKey)
    await comeBack(visitor)
    const { page, context, watch } = visitor
    watch.expect(/ERR_INTERNET_DISCONNECTED/)
    await openSafe(visitor)
    // Right after its heading parts of the page are still on their way.
    await page.getByText('The queue is empty').waitFor()
    await untilQuiet(page)
    await context.setOffline(true)
    await page.locator('[data-offline]').waitFor()
    for (const key of ['g', 't', 'Control+k']) await page.keyboard.press(key)
    await screen(visitor, 'Messages').hover()
    // A pointer stands on a link before it presses: what it announced is told of, too.
    await page.waitForTimeout(200)
    await screen(visitor, 'Messages').click()
    await page.getByText('Loading the page').waitFor()
    // One box says why.
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
    await screen(visitor, 'Messages').waitFor()
    await context.setOffline(false)
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await page.getByText('No messages yet').waitFor()
    for (const key of ['g', 't']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    expect(await page.locator('[data-banner] [data-tone]').count()).toBe(0)
    watch.assertNone()
  })

  test('behavior: the frame of a page that is opened by its address does not wait for its code', async () => {
    const { page, url, chainId } = anna
    const bring = await holdCode(page, 'book-page')
    await page.goto(`${url}/safes/${chainId}/${safe.safeAddress}/book`)
    await page.getByText('Loading the page').waitFor()
    await page.locator('[data-live-status="live"]').waitFor()
    await screen(anna, 'Messages').waitFor()
    bring()
    await page.getByRole('heading', { level: 1, name: 'Address book' }).waitFor()
  })

  test('behavior: the mark stands alone until the code of the frame is there', async () => {
    const { page, url } = anna
    const bring = await holdCode(page, 'first')
    await page.goto(url, { waitUntil: 'commit' })
    const mark = page.locator('#root > svg')
    await expect.poll(() => mark.evaluate((drawn) => getComputedStyle(drawn).opacity)).toBe('1')
    bring()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await mark.count()).toBe(0)
  })

  test('behavior: where the code of a page does not come, the page is loaded anew, once; then it is said', async () => {
    const { context, watch } = anna
    const page = await context.newPage()
    // As where code takes half a minute to fail.
    await page.addInitScript(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 30_000
    })
    const inTab = { ...anna, page }
    await openSafe(inTab)
    watch.expect(/ERR_FAILED|console:/)
    await page.route('**/assets/activity-page-*', (route) => route.abort())
    const loads: string[] = []
    page.on('domcontentloaded', () => loads.push(new URL(page.url()).pathname.split('/').at(-1) ?? ''))
    await screen(inTab, 'Activity').click()
    await expect.poll(() => loads).toEqual(['activity'])
    await page.getByText('This page did not load').waitFor()
    await page.locator('[data-live-status="live"]').waitFor()
    await page.waitForTimeout(500)
    expect(loads).toEqual(['activity'])
    await page.unroute('**/assets/activity-page-*')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    await page.close()
  })

  test('behavior: where the code of the command palette does not come, the page stays', async () => {
    const { page, watch } = anna
    await openSafe(anna)
    watch.expect(/ERR_FAILED|console:/)
    await page.route('**/assets/palette-*', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await page.keyboard.press('Control+k')
    await failed
    await page.waitForTimeout(300)
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
    await page.unroute('**/assets/palette-*')
  })

  test('behavior: whoever is not signed in is asked to, and nothing is asked in their name', async () => {
    const visitor = await scene.owner(team.bruno.privateKey)
    const bring = await holdCode(visitor.page, 'team-page')
    const asked: string[] = []
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visitor.page.goto(`${visitor.url}/safes/${safe.chainId}/${safe.safeAddress}/team`)
    // They do not wait for the code of a page that they may not see.
    await visitor.page.getByRole('main').getByRole('button').first().waitFor()
    bring()
    await visitor.page.waitForTimeout(300)
    expect(asked.filter((path) => path.startsWith('/api/')).sort()).toEqual(['/api/configuration', '/api/session'])
    // The page that was gone to is there once they are signed in.
    await connect(visitor)
    await verify(visitor)
    await visitor.page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    expect(new URL(visitor.page.url()).pathname).toBe(`/safes/${safe.chainId}/${safe.safeAddress}/team`)
    visitor.watch.assertNone()
  })
})
