import {
  addSafeByScript,
  newOwner,
  newSafe,
  type Owner,
  proposeByScript,
  rpcUrlOf,
  safePath,
  signIn,
  signInByScript,
  startBrowser,
  startProduct,
  team,
} from '@countersign/e2e'
import { databaseOf } from '../chain/following.ts'
import type { Entry, Measurement } from '../entry.ts'
import { storeTransactions } from '../load/stored.ts'

type Page = Owner['page']

const EXECUTED = 100_000
/** A laptop of some years ago on a moderate line. */
const SLOWDOWN = 4
const BYTES_PER_SECOND = (10 * 1_000_000) / 8
const LATENCY_MS = 40
const FRAMES = 120

/** Measures what a person waits for, in a Chromium that is slowed down, with a Safe that has been used a lot. */
export const web: Entry = {
  name: 'web',
  about: `first page, queue of 1,000 and history of ${EXECUTED.toLocaleString('en')}, processor ${SLOWDOWN}× slower, 10 Mbit/s`,
  async run() {
    await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
    const browser = await startBrowser()
    try {
      const rpcUrl = rpcUrlOf(product)
      const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
      const script = await signInByScript(product.url, team.anna.privateKey, 31337)
      await addSafeByScript(script, safe.safeAddress)
      const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
      await storeTransactions(databaseOf(product), safe, EXECUTED)
      const options = { url: product.url, rpcUrl, chainId: 31337 }
      const visitor = await newOwner(browser, { ...options, privateKey: team.anna.privateKey })
      const first = await open(visitor.page, product.url, () =>
        visitor.page.getByRole('main').getByRole('button').first().waitFor(),
      )
      await visitor.context.close()
      const owner = await newOwner(browser, { ...options, privateKey: team.bruno.privateKey })
      await signIn(owner)
      const path = `${product.url}${safePath(31337, safe.safeAddress)}`
      const queue = await owner.context.newPage()
      const row = queue.locator(`[data-row="${safeTxHash}"]`)
      const toQueue = await open(queue, `${path}/queue`, () => row.waitFor())
      const started = performance.now()
      await row.locator('[data-listed-verdict="matches"], [data-listed-verdict="matches-one-node"]').waitFor()
      const toVerdict = toQueue.usable + performance.now() - started
      await loadAll(queue)
      const frames = await scrollFrames(queue)
      const interaction = await typeIntoSearch(queue)
      await queue.close()
      const history = await owner.context.newPage()
      const toHistory = await open(history, `${path}/history`, () =>
        history.locator('[data-history-row]').first().waitFor(),
      )
      return [
        ...lines('first page', first),
        ...lines('queue of 1,000', toQueue),
        { what: 'queue of 1,000: to the verdict of its first row', value: toVerdict, unit: 'ms' },
        ...frames,
        {
          what: 'queue of 1,000: slowest key of a search, to the next paint',
          value: interaction,
          unit: 'ms',
          goal: { value: 100, isAtMost: true },
        },
        ...lines(`history of ${EXECUTED.toLocaleString('en')}`, toHistory),
      ]
    } finally {
      await browser.close()
    }
  },
}

type Opened = { bytes: number; requests: number; painted: number; usable: number }

/** Opens a page with an empty cache in a slowed browser, and takes the time until it can be used. */
async function open(page: Page, url: string, usable: () => Promise<unknown>): Promise<Opened> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  let bytes = 0
  let requests = 0
  session.on('Network.requestWillBeSent', () => {
    requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const started = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await usable()
  const took = performance.now() - started
  const counted = { bytes, requests }
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  return { ...counted, painted, usable: took }
}

async function loadAll(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Show more', exact: true })
  while ((await more.count()) > 0) {
    const before = await page.locator('[data-nonce]').count()
    await more.click()
    await page.waitForFunction((count) => document.querySelectorAll('[data-nonce]').length > count, before)
  }
}

/** Scrolls through all rows by a window's half each frame, and counts the time of the frames. */
async function scrollFrames(page: Page): Promise<Measurement[]> {
  const { rows, times } = await page.evaluate(async (frames) => {
    const taken: number[] = []
    window.scrollTo(0, 0)
    let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let frame = 0; frame < frames; frame++) {
      window.scrollBy(0, innerHeight / 8)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      taken.push(now - before)
      before = now
    }
    return { rows: document.querySelectorAll('[data-nonce]').length, times: taken.sort((one, other) => one - other) }
  }, FRAMES)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return [
    { what: 'queue scrolled: rows that are there', value: rows, unit: '' },
    { what: 'queue scrolled: time of a frame, half of them', value: at(0.5), unit: 'ms' },
    { what: 'queue scrolled: time of a frame, 95 of 100', value: at(0.95), unit: 'ms' },
  ]
}

/** Milliseconds from a key to the next paint, the slowest of a word that is typed into the search. */
async function typeIntoSearch(page: Page): Promise<number> {
  await page.evaluate(() => {
    const slowest = { duration: 0 }
    Reflect.set(window, 'slowest', slowest)
    new PerformanceObserver((list) => {
      // Rows that move below a pointer at rest are events too, and no interaction of anybody.
      for (const { name, duration } of list.getEntries())
        if (/^key|input$/.test(name)) slowest.duration = Math.max(slowest.duration, duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('searchbox').pressSequentially('owner', { delay: 250 })
  await page.waitForTimeout(1_000)
  return page.evaluate(() => (Reflect.get(window, 'slowest') as { duration: number }).duration)
}

function lines(where: string, { bytes, requests, painted, usable }: Opened): Measurement[] {
  return [
    { what: `${where}: bytes until it can be used`, value: bytes, unit: 'B' },
    { what: `${where}: requests`, value: requests, unit: '' },
    { what: `${where}: first paint`, value: painted, unit: 'ms' },
    { what: `${where}: can be used`, value: usable, unit: 'ms' },
  ]
}
