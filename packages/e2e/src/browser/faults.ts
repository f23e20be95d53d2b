import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Lists the faults that axe finds in both themes, one line each, and those of the page at 320 px. With a dialog open
 * it looks at that alone: nothing behind it can be reached.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults = await violationsOf(page, (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'body')
  await page.setViewportSize({ width: 320, height: 700 })
  faults.push(...(await excessOf(page)))
  await page.setViewportSize({ width: 1280, height: 900 })
  return faults
}

/**
 * Lists by how much the page, or what is open in a dialog, is wider than its window: as it is, with text alone of twice the
 * size, and with twice the size set for the browser, by which a page of any width lays itself out anew.
 */
export async function excessOf(page: Page): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page)
  try {
    const found = [await widerThanWindow(page, 'text as it is')]
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    found.push(await widerThanWindow(page, 'text at 200 %'))
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    found.push(await widerThanWindow(page, "the browser's text at 200 %"))
    await devTools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
    return found.flat()
  } finally {
    await devTools.detach()
  }
}

async function widerThanWindow(page: Page, how: string): Promise<string[]> {
  return page.evaluate(async (name) => {
    // Parts that follow their own width are laid out again in the second frame.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const open = document.querySelector('dialog[open]')
    const needed = Math.max(
      document.documentElement.scrollWidth,
      open ? open.scrollWidth + open.getBoundingClientRect().left : 0,
    )
    if (needed <= innerWidth) return []
    const beyond = [...document.querySelectorAll('main *')].filter((element) => {
      const { right, width } = element.getBoundingClientRect()
      return width > 0 && right > innerWidth + 1
    })
    return [`${name}: needs ${needed} px, has ${innerWidth}: ${beyond.at(0)?.outerHTML.slice(0, 200)}`]
  }, how)
}

const bothThemes = ['light', 'dark'] as const
export type Theme = (typeof bothThemes)[number]
/** Rules that look at colours. What the others find is the same in both themes, whose pages differ in colours alone. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/**
 * Lists the faults that axe finds in both themes, in the page and its frames or in a part of it, one line each: of every rule in the
 * light one, of those of colours in the dark one.
 */
export async function violationsOf(
  page: Page,
  scope?: string,
  themes: readonly Theme[] = bothThemes,
): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const frame of page.frames()) await frame.evaluate(finishAnimations)
    // Passed rules are counted, not listed. Without frames the findings are those of one document: nothing has to be
    // put together in another page.
    const axe = new AxeBuilder({ page })
      .options({
        resultTypes: ['violations'],
        ...(colorScheme === 'dark' ? { runOnly: { type: 'rule', values: rulesOfColours } } : {}),
      })
      .setLegacyMode(page.frames().length === 1)
    const { violations } = await (scope ? axe.include(scope) : axe).analyze()
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }
  return found
}

/** A colour on its way from one theme to the other is of neither. What never ends, reduced motion has stopped. */
async function finishAnimations(): Promise<void> {
  for (;;) {
    const running = document.getAnimations().filter(({ playState }) => playState === 'running')
    if (running.length === 0) return
    await Promise.allSettled(running.map(({ finished }) => finished))
  }
}
