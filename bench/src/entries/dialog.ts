import {
  countFetched,
  type Fetched,
  type Owner,
  sizeOf,
  startBrowser,
  startProduct,
  startRelay,
} from '@countersign/e2e'
import { buildRainbowKit, serve } from '../comparison/rainbowkit.ts'
import type { Entry, Measurement } from '../entry.ts'

/** Until somebody can pick a wallet, with nothing installed and nothing in the cache. */
export const dialog: Entry = {
  name: 'dialog',
  about: 'what is fetched until the wallet dialog can be used, beside an app with RainbowKit',
  async run() {
    const rainbowKit = await buildRainbowKit()
    const browser = await startBrowser()
    const relay = await startRelay()
    try {
      await using product = await startProduct({
        configuration: {
          walletConnect: { relayUrl: relay.url },
          safeApp: { allowedHosts: ['https://app.safe.global'] },
          coinbase: true,
        },
      })
      const { whenItStands: ours, whole } = await openDialog(
        browser,
        product.url,
        'button[data-wallet="walletConnect"]',
        async (page) => {
          // The last of the files that are fetched later.
          await page.waitForResponse(/\/assets\/en-safe-/)
        },
      )
      const { whole: picked } = await openDialog(
        browser,
        product.url,
        'button[data-wallet="walletConnect"]',
        async (page) => {
          await page.locator('button[data-wallet="walletConnect"]').click()
          await page.locator('[data-scan-code]').waitFor()
        },
        savesData,
      )
      const server = await serve(rainbowKit.directory)
      const { whenItStands: theirs } = await openDialog(
        browser,
        server.url,
        '[data-testid="rk-wallet-option-walletConnect"]',
      )
      server.close()
      return [
        ...lines('dialog', ours, theirs),
        {
          what: 'fetched once a wallet can be picked, at low priority: JavaScript, gzip',
          value: sizeOf(whole.scripts) - sizeOf(ours.scripts),
          unit: 'B',
        },
        { what: 'WalletConnect picked, QR code shown: JavaScript, gzip', value: sizeOf(picked.scripts), unit: 'B' },
        // The one is the relay of the configuration.
        {
          what: 'WalletConnect picked, QR code shown: to other hosts',
          value: picked.foreign,
          unit: '',
          goal: atMost(1),
        },
      ]
    } finally {
      await browser.close()
      await relay.close()
      rainbowKit.remove()
    }
  },
}

/** Disables prefetching, so that only the files of the wallet itself count. */
const savesData = (page: Owner['page']) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))

async function openDialog(
  browser: Awaited<ReturnType<typeof startBrowser>>,
  url: string,
  entry: string,
  goOn?: (page: Owner['page']) => Promise<void>,
  setUp?: (page: Owner['page']) => Promise<unknown>,
): Promise<{ whenItStands: Fetched; whole: Fetched }> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await setUp?.(page)
    const fetched = countFetched(page, url)
    await page.goto(url)
    await page
      .getByRole('button', { name: /connect/i })
      .first()
      .click()
    await page.locator(entry).waitFor()
    // Requested until now, whether answered or not.
    const asked = fetched.asked()
    await goOn?.(page)
    // Requests that are still under way belong to it.
    await page.waitForTimeout(2_000)
    return { whenItStands: await fetched(asked), whole: await fetched() }
  } finally {
    await context.close()
  }
}

function lines(what: string, ours: Fetched, theirs: Fetched): Measurement[] {
  const beside = (value: number) => ({ what: 'RainbowKit', value })
  return [
    { what: `${what}: JavaScript, raw`, value: ours.raw, unit: 'B', peer: beside(theirs.raw) },
    {
      what: `${what}: JavaScript, gzip`,
      value: sizeOf(ours.scripts),
      unit: 'B',
      peer: beside(sizeOf(theirs.scripts)),
      goal: atMost(220_000),
    },
    { what: `${what}: scripts`, value: ours.scripts.size, unit: '', peer: beside(theirs.scripts.size) },
    { what: `${what}: requests`, value: ours.requests, unit: '', peer: beside(theirs.requests) },
    { what: `${what}: to other hosts`, value: ours.foreign, unit: '', peer: beside(theirs.foreign), goal: atMost(0) },
  ]
}

function atMost(value: number) {
  return { value, isAtMost: true }
}
