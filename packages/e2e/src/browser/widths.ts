import type { Page } from 'playwright-core'

/** Windows of a phone and of a desk. */
const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
] as const

/**
 * Gives the window of a phone and that of a desk in turn, another one with each call: a journey sees both, and a second one that
 * begins with the other window sees each of its steps in the other.
 */
export function widthsInTurn(page: Page, isPhoneFirst: boolean): () => Promise<void> {
  let turn = isPhoneFirst ? 0 : 1
  return async () => {
    await page.setViewportSize(turn % 2 === 0 ? sizes[0] : sizes[1])
    turn += 1
  }
}
