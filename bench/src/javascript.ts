import {
  addSafeByScript,
  fundTokens,
  newOwner,
  newSafe,
  type Owner,
  type Product,
  proposeByScript,
  rpcUrlOf,
  type SafeAt,
  safePath,
  signIn,
  signInByScript,
  startBrowser,
  startProduct,
  team,
} from '@countersign/e2e'
import { parseEther } from 'viem'
import type { Entry, Measurement } from './entry.ts'
import { countFetched, type Fetched } from './fetched.ts'

const languages = ['en', 'de', 'es', 'fr', 'zh']
/** Runs in the page. */
const choose = (chosen: string) => localStorage.setItem('countersign.locale', chosen)

/** Measures the bytes that a browser with an empty cache fetches, counted where they arrive. */
export const javascript: Entry = {
  name: 'javascript',
  about: 'JavaScript fetched by the first page, the page of a Safe, and a queue with a payment, in each language',
  async run() {
    await using product = await startProduct()
    const browser = await startBrowser()
    try {
      const rpcUrl = rpcUrlOf(product)
      const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
      const options = { url: product.url, rpcUrl, chainId: 31337, privateKey: team.anna.privateKey }
      const owner = await newOwner(browser, options)
      await signIn(owner)
      const measured: Measurement[] = []
      for (const language of languages) {
        const visitor = await newOwner(browser, options)
        await visitor.context.addInitScript(choose, language)
        const first = countFetched(visitor.page, product.url)
        await visitor.page.goto(product.url)
        await visitor.page.getByRole('button').first().waitFor()
        await visitor.page.waitForTimeout(1000)
        measured.push(...lines(`first page, ${language}`, await first(), 170_000))
        await visitor.context.close()

        // A new tab of a profile that is signed in; its cache is switched off by the routing.
        const page = await owner.context.newPage()
        await page.addInitScript(choose, language)
        await page.route('**/*', (route) => route.continue())
        const onSafe = countFetched(page, product.url)
        await page.goto(`${product.url}${safePath(safe.chainId, safe.safeAddress)}`)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        await page.waitForTimeout(1500)
        measured.push(...lines(`page of a Safe, ${language}`, await onSafe(), 350_000))
        await page.close()
      }
      measured.push(...(await measureQueue({ product, owner, rpcUrl, safe })))
      return measured
    } finally {
      await browser.close()
    }
  },
}

/** A queue in which a payment waits, in each language: its row has a verdict, and that is by a review. */
async function measureQueue({
  product,
  owner,
  rpcUrl,
  safe,
}: {
  product: Product
  owner: Owner
  rpcUrl: string
  safe: SafeAt
}): Promise<Measurement[]> {
  await fundTokens({ product, rpcUrl }, safe.safeAddress)
  const script = await signInByScript(product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(script, safe.safeAddress)
  await proposeByScript(script, safe, { to: team.bruno.address, value: parseEther('0.1'), nonce: 0n })
  const measured: Measurement[] = []
  for (const language of languages) {
    const page = await owner.context.newPage()
    await page.addInitScript(choose, language)
    await page.route('**/*', (route) => route.continue())
    const onQueue = countFetched(page, product.url)
    await page.goto(`${product.url}${safePath(safe.chainId, safe.safeAddress)}/queue`)
    await page.locator('[data-listed-verdict]:not([data-listed-verdict="checking"])').first().waitFor()
    await page.waitForTimeout(1500)
    const counted = await onQueue()
    await page.close()
    const where = `queue with a payment, ${language}`
    const worker = { what: `${where}: Worker, gzip`, value: counted.worker, unit: 'B' }
    measured.push(...lines(where, counted, 350_000), { ...worker, goal: { value: 160_000, isAtMost: true } })
  }
  return measured
}

function lines(where: string, counted: Fetched, goal: number): Measurement[] {
  return [
    { what: `${where}: JavaScript, raw`, value: counted.raw, unit: 'B' },
    { what: `${where}: JavaScript, gzip`, value: counted.gzip, unit: 'B', goal: { value: goal, isAtMost: true } },
    { what: `${where}: scripts`, value: counted.scripts, unit: '' },
    { what: `${where}: requests`, value: counted.requests, unit: '', goal: { value: 25, isAtMost: true } },
    {
      what: `${where}: requests to third parties`,
      value: counted.foreign,
      unit: '',
      goal: { value: 0, isAtMost: true },
    },
  ]
}
