import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { excessOf, type Theme, violationsOf } from '../src/browser/faults.ts'
import { countShifts, shiftOf } from '../src/browser/layout-shift.ts'
import { UI_TIMEOUT_MS } from '../src/browser/ui-timeout.ts'
import { everyPage, type PageOfProduct } from '../src/pages/every-page.ts'
import { leftoverEnglish } from '../src/pages/leftover-english.ts'
import { comeBack } from '../src/people/owner.ts'
import { signInByScript } from '../src/people/script-owner.ts'
import { demoOwners } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

/** The most that a page may move by itself while it loads: the sum of its layout shifts. */
const MAX_SHIFT = 0.05

const LATENCY_MS = 150
const near = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

const languages = ['en', 'de', 'es', 'fr', 'zh'] as const
const themes = ['light', 'dark'] as const
const widths = [320, 768, 1280, 1920] as const
type Look = { language: string; theme: Theme; width: number }

/** Pages that the navigation of a Safe names, and shows as the one where one is. */
const sections = ['Home', 'Queue', 'History', 'Assets', 'Messages', 'Address book', 'Team', 'Activity', 'Settings']

/** Every way to read a page. */
const allLooks: Look[] = languages.flatMap((language) =>
  themes.flatMap((theme) => widths.map((width) => ({ language, theme, width }))),
)

/**
 * One way to read a page: in `npm test`, all pages together are read in all languages, in both themes and at both ends of
 * the widths.
 */
function lookOf(index: number): Look {
  const language = languages[index % languages.length] ?? 'en'
  const theme = themes[index % 2] ?? 'light'
  return index % 4 < 2 ? { language, theme, width: 320 } : { language, theme, width: index % 3 === 0 ? 1920 : 1280 }
}

/** Returns the pages in `PAGES`, such as `PAGES=Team,Policy`, or all pages if it is not set. */
function chosenOf(all: Record<string, PageOfProduct>): Record<string, PageOfProduct> {
  const chosen = process.env.PAGES?.split(',')
  const unknown = chosen?.filter((name) => !(name in all)) ?? []
  if (unknown.length > 0)
    throw new Error(`No page is called ${unknown.join(' or ')}. Pages: ${Object.keys(all).join(', ')}`)
  return chosen ? Object.fromEntries(Object.entries(all).filter(([name]) => chosen.includes(name))) : all
}

let scene: Scene
let pages: Record<string, PageOfProduct>
beforeAll(async () => {
  scene = await startScene()
  const script = await signInByScript(scene.product.url, demoOwners[0].privateKey, scene.chainId)
  pages = chosenOf((await everyPage(script)).pages)
})
afterAll(() => scene?.close())

describe('every page', () => {
  // Each page is loaded over a slow network, in a soak also by a slow processor.
  const timeout = 15 * UI_TIMEOUT_MS
  test(`behavior: has a title of its own, moves by ${MAX_SHIFT} at most while it loads, fits, has no fault, and nothing left in English`, {
    timeout,
  }, async () => {
    const faults: string[] = []
    const titles = new Map<string, string>()
    const named = Object.entries(pages).map(([name, page], index) => ({ ...page, name, index }))
    // Each page is waited for until it is quiet: two are read at a time.
    await Promise.all([0, 1].map((half) => read(named.filter(({ index }) => index % 2 === half))))
    expect(faults).toEqual([])

    /** Takes the title for a page, which another that has it in the same language keeps. @returns whose it is */
    async function claim(page: Page, language: string, name: string): Promise<string> {
      const title = `${language}, ${await page.title()}`
      const owner = titles.get(title) ?? name
      titles.set(title, owner)
      return owner
    }

    async function read(some: typeof named): Promise<void> {
      const owner = await scene.owner(demoOwners[0].privateKey)
      await comeBack(owner)
      // One page is of a transaction that nobody knows.
      owner.watch.expect(/404/)
      const page = await owner.context.newPage()
      await countShifts(page)
      await page.goto(owner.url)
      const devTools = await owner.context.newCDPSession(page)
      await devTools.send('Network.enable')
      for (const { name, path, shows, index } of some) {
        for (const { language, theme, width } of isSoak ? allLooks : [lookOf(index)]) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await page.setViewportSize({ width, height: 800 })
          await page.evaluate((chosen) => localStorage.setItem('countersign.locale', chosen), language)
          // A phone is slower: more of what comes after another is drawn after it. The processor is made so by work.
          const isSlow = isSoak && width === 320
          await devTools.send('Emulation.setCPUThrottlingRate', { rate: isSlow ? 4 : 1 })
          // A server is not as near as that of a test: parts come one after the other.
          await devTools.send('Network.emulateNetworkConditions', { ...near, latency: isSlow ? 0 : LATENCY_MS })
          const { sum, what } = await shiftOf(page, `${owner.url}${path}`)
          await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
          await devTools.send('Network.emulateNetworkConditions', near)
          await page.locator(shows).first().waitFor()
          const look = `${name}, ${language}, ${theme}, ${width} px`
          await expect.poll(() => page.title()).toMatch(/^[^·].* · Countersign$/)
          // While it loads, a page may have the title of another that loads.
          await expect.poll(() => claim(page, language, name), { message: look }).toBe(name)
          // In a window of 320 px some of the ways are one tap away.
          const current = page.getByRole('navigation').locator(`a[aria-current="page"][href="${path}" i]`)
          if (sections.includes(name) && width > 320) await current.first().waitFor()
          if (sum > MAX_SHIFT) faults.push(`${look}: moved by ${sum} ${what[0]}`)
          for (const fault of await violationsOf(page, 'body', [theme])) faults.push(`${look}: ${fault}`)
          for (const excess of await excessOf(page)) faults.push(`${look}: ${excess}`)
          if (language !== 'en')
            for (const sentence of await leftoverEnglish(page, language))
              faults.push(`${look}: in English: ${sentence}`)
        }
      }
    }
  })
})
