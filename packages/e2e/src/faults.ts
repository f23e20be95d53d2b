import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * What axe finds against WCAG 2.2 A and AA in both themes, one line each, and whether the page fits 320 px. With a
 * dialog open it looks at that alone: what stands behind it cannot be reached.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const scope = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'body'
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page })
      .include(scope)
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze()
    for (const { id, nodes } of violations)
      faults.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }
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
