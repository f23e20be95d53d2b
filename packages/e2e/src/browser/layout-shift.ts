import type { Page } from 'playwright-core'

/** Nothing has moved, and no text changed, for so long: the page is there. */
const QUIET_MS = 900
const MAX_WAIT_MS = 12_000

/** Counts from before its first script how far the page moves by itself (cumulative layout shift). */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { sum: 0, what: [] as string[], at: performance.now() }
    Reflect.set(window, 'seenShifts', seen)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[]) {
        if (entry.hadRecentInput) continue
        seen.sum += entry.value
        const moved = entry.sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML : (node?.nodeName ?? ''),
        )
        seen.what.push(`${entry.value.toFixed(4)} ${moved.map((html) => html.slice(0, 90)).join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      seen.at = performance.now()
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
}

/**
 * Opens a page, waits until nothing changes there any more, and answers how far it moved, with what moved most.
 *
 * @param whole - is on the page once it is there; a heading where nothing is said.
 */
export async function shiftOf(page: Page, url: string, whole = 'h1'): Promise<{ sum: number; what: string[] }> {
  await page.goto(url)
  await page.locator(whole).first().waitFor()
  return shiftsIn(page)
}

/** How far the page has moved that is open, once nothing changes there any more. */
export async function shiftsIn(page: Page): Promise<{ sum: number; what: string[] }> {
  await page
    .waitForFunction(
      (quiet) => performance.now() - (Reflect.get(window, 'seenShifts') as { at: number }).at > quiet,
      QUIET_MS,
      { timeout: MAX_WAIT_MS },
    )
    // A page that counts seconds never rests.
    .catch(() => {})
  return page.evaluate(() => {
    const { sum, what } = Reflect.get(window, 'seenShifts') as { sum: number; what: string[] }
    return { sum, what: what.toSorted().reverse().slice(0, 4) }
  })
}
