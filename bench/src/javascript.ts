import { newOwner, newSafe, rpcUrlOf, safePath, signIn, startBrowser, startProduct, team } from '@countersign/e2e'
import type { Entry, Measurement } from './entry.ts'
import { countFetched, type Fetched } from './fetched.ts'

/** Measures the bytes that a browser with an empty cache fetches, counted where they arrive. */
export const javascript: Entry = {
  name: 'javascript',
  about: 'JavaScript fetched by the first page and by the page of a Safe with its queue',
  async run() {
    await using product = await startProduct()
    const browser = await startBrowser()
    try {
      const rpcUrl = rpcUrlOf(product)
      const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
      const options = { url: product.url, rpcUrl, chainId: 31337, privateKey: team.anna.privateKey }

      const visitor = await newOwner(browser, options)
      const first = countFetched(visitor.page, product.url)
      await visitor.page.goto(product.url)
      await visitor.page.getByRole('button').first().waitFor()
      await visitor.page.waitForTimeout(1000)
      const firstLoad = await first()
      await visitor.context.close()

      const owner = await newOwner(browser, options)
      await signIn(owner)
      // A new tab of a profile that is signed in; its cache is switched off by the routing.
      const page = await owner.context.newPage()
      await page.route('**/*', (route) => route.continue())
      const onSafe = countFetched(page, product.url)
      await page.goto(`${product.url}${safePath(safe.chainId, safe.safeAddress)}`)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await page.waitForTimeout(1500)
      const safePage = await onSafe()
      return [...lines('first page', firstLoad, 170_000), ...lines('page of a Safe', safePage, 350_000)]
    } finally {
      await browser.close()
    }
  },
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
