import { newOwner, newSafe, rpcUrlOf, safePath, signIn, startBrowser, startProduct, team } from '@countersign/e2e'
import type { Entry, Measurement } from './entry.ts'
import { countFetched, type Fetched } from './fetched.ts'

const languages = ['en', 'de', 'es', 'fr', 'zh']

/** Measures the bytes that a browser with an empty cache fetches, counted where they arrive. */
export const javascript: Entry = {
  name: 'javascript',
  about: 'JavaScript fetched by the first page and by the page of a Safe with its queue, in each language',
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
        const choose = (chosen: string) => localStorage.setItem('countersign.locale', chosen)
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
      return measured
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
