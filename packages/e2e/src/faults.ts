import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Lists the faults that axe finds in both themes, one line each, and those of the page at 320 px. With a dialog open
 * it looks at that alone: nothing behind it can be reached.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults = await violationsOf(page, (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'body')
  await page.setViewportSize({ width: 320, height: 700 })
  const needed = await page.evaluate(() => {
    const open = document.querySelector('dialog[open]')
    return Math.max(
      document.documentElement.scrollWidth,
      open ? open.scrollWidth + open.getBoundingClientRect().left : 0,
    )
  })
  if (needed > 320) faults.push(`needs ${needed} px, has 320`)
  await page.setViewportSize({ width: 1280, height: 900 })
  return faults
}

const bothThemes = ['light', 'dark'] as const
export type Theme = (typeof bothThemes)[number]

/** Lists the faults that axe finds in both themes, in the page and its frames or in a part of it, one line each. */
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
      .options({ resultTypes: ['violations'] })
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
