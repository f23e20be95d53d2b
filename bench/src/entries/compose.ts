import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testContracts } from '@countersign/devnet'
import {
  addSafeByScript,
  fundTokens,
  newOwner,
  newSafe,
  type Owner,
  rpcUrlOf,
  safePath,
  signIn,
  signInByScript,
  startBrowser,
  startProduct,
  team,
} from '@countersign/e2e'
import { toHex } from 'viem'
import type { Entry, Measurement } from '../entry.ts'

type Page = Owner['page']

const PAYMENTS = 5_000
const WRONG_LINES = 50_000
const MAX_TASK_MS = 100

/** Measures a payout: from choosing the file to transactions that are measured, and to the verdict on each of them. */
export const compose: Entry = {
  name: 'compose',
  about: `a list of ${PAYMENTS.toLocaleString('en')} payments to reviewed transactions, and one of ${WRONG_LINES.toLocaleString('en')} lines with 100 wrong ones`,
  async run() {
    await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
    const browser = await startBrowser()
    const folder = mkdtempSync(join(tmpdir(), 'countersign-lists-'))
    try {
      const rpcUrl = rpcUrlOf(product)
      const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
      await fundTokens({ product, rpcUrl }, safe.safeAddress)
      const script = await signInByScript(product.url, team.anna.privateKey, safe.chainId)
      await addSafeByScript(script, safe.safeAddress)
      const options = { url: product.url, rpcUrl, chainId: safe.chainId, privateKey: team.anna.privateKey }
      await using owner = await newOwner(browser, options)
      await signIn(owner)
      const { page } = owner
      await page.goto(`${product.url}${safePath(safe.chainId, safe.safeAddress)}/new`)
      await page.getByText('Pay a list').click()
      await watchTasks(page)
      const file = page.getByLabel('Or choose the file').first()

      const wrong = await timed(page, async () => {
        await file.setInputFiles(fileOf(folder, WRONG_LINES, (index) => (index % 500 === 0 ? '=cmd|calc' : '0.01')))
        await page.getByText('100 lines are wrong').waitFor()
      })
      const read = await timed(page, async () => {
        await file.setInputFiles(fileOf(folder, PAYMENTS, () => '0.01'))
        await page.getByRole('button', { name: 'Split into transactions' }).waitFor()
      })
      const split = await timed(page, async () => {
        await page.getByRole('button', { name: 'Split into transactions' }).click()
        await page.getByRole('button', { name: 'Review and propose' }).waitFor()
      })
      const count = await page.locator('[data-batch]').count()
      const bytes = await memoryOf(page)
      const reviewed = await timed(page, async () => {
        await page.getByRole('button', { name: 'Review and propose' }).click()
        await page.locator('[data-verdict]').first().waitFor()
      })
      return [
        ...lines(`${WRONG_LINES.toLocaleString('en')} lines, 100 of them wrong: to all faults`, wrong),
        ...lines(`${PAYMENTS.toLocaleString('en')} payments: read and summed up`, read),
        ...lines(`split into transactions, each run and measured`, split),
        { what: 'transactions', value: count, unit: '' },
        ...lines('from the list to the verdict on the first transaction', reviewed),
        { what: 'memory of the page after splitting', value: bytes / 1024 / 1024, unit: 'MB' },
      ]
    } finally {
      await browser.close()
      rmSync(folder, { recursive: true })
    }
  },
}

/** Writes a list and answers its path. A file that was handed over as bytes would be built by the page's own thread. */
function fileOf(folder: string, count: number, amountOf: (index: number) => string): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `erc20,${testContracts.erc20.address},${toHex(index + 4096, { size: 20 })},${amountOf(index)}`,
  )
  const path = join(folder, `${count}.csv`)
  writeFileSync(path, rows.join('\n'))
  return path
}

/** Notes the longest task of the page's own thread; Workers have theirs. */
async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const kept = globalThis as typeof globalThis & { longestTask: number }
    kept.longestTask = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) kept.longestTask = Math.max(kept.longestTask, duration)
    }).observe({ entryTypes: ['longtask'] })
  })
}

type Timed = { milliseconds: number; longestTask: number }

async function timed(page: Page, act: () => Promise<void>): Promise<Timed> {
  await page.evaluate(() => {
    Object.assign(globalThis, { longestTask: 0 })
  })
  const started = performance.now()
  await act()
  const milliseconds = performance.now() - started
  const longestTask = await page.evaluate(() => (globalThis as typeof globalThis & { longestTask: number }).longestTask)
  return { milliseconds, longestTask }
}

/** Bytes that the page's own thread holds after its garbage was collected. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

function lines(what: string, { milliseconds, longestTask }: Timed): Measurement[] {
  return [
    { what, value: milliseconds, unit: 'ms' },
    {
      what: `${what}: longest task, none above 50 is 0`,
      value: longestTask,
      unit: 'ms',
      goal: { value: MAX_TASK_MS, isAtMost: true },
    },
  ]
}
