import { approvePolicy, call, nameAddress, proposePolicy } from '@countersign/contract'
import {
  addSafeByScript,
  fundTokens,
  giveAbiByScript,
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
import { hashPolicy, nextPolicy, policyTypedData, writePolicy } from '@countersign/review'
import { parseEther, zeroAddress } from 'viem'
import type { Entry, Measurement } from '../entry.ts'
import { countFetched, type Fetched } from '../page/fetched.ts'

type Place = { product: Product; owner: Owner; rpcUrl: string; safe: SafeAt }

const languages = ['en', 'de', 'es', 'fr', 'zh']
/** Runs in the page. */
const choose = (chosen: string) => localStorage.setItem('countersign.locale', chosen)

/** Measures the bytes that a browser with an empty cache fetches, counted where they arrive. */
export const javascript: Entry = {
  name: 'javascript',
  about:
    'JavaScript fetched by the first page, by the page of a Safe, and by queue and Home with a payment, in each language',
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
      measured.push(...(await measureWaiting({ product, owner, rpcUrl, safe })))
      return measured
    } finally {
      await browser.close()
    }
  },
}

/**
 * The pages of a Safe where a payment waits, in each language: first of a team that has written nothing down, then of the
 * same team with names, an ABI that an owner signed, and a policy in force. It waits for who reads:
 * a verdict stands on each page, and that is by a review.
 */
async function measureWaiting({ product, owner, rpcUrl, safe }: Place): Promise<Measurement[]> {
  await fundTokens({ product, rpcUrl }, safe.safeAddress)
  const bruno = await signInByScript(product.url, team.bruno.privateKey, safe.chainId)
  await addSafeByScript(bruno, safe.safeAddress)
  await proposeByScript(bruno, safe, { to: team.bruno.address, value: parseEther('0.1'), nonce: 0n })
  const pages = [
    { page: 'queue', path: '/queue' },
    { page: 'Home', path: '' },
  ]
  const measured: Measurement[] = []
  for (const equipment of ['', ', a team with names, ABIs and a policy']) {
    if (equipment) await equip(product, safe)
    for (const { page, path } of pages)
      for (const language of languages) {
        const counted = await countWaiting({ product, owner, safe }, { path, language })
        const where = `${page} with a payment${equipment}, ${language}`
        const worker = { what: `${where}: Worker, gzip`, value: counted.worker, unit: 'B' }
        measured.push(...lines(where, counted, 350_000), { ...worker, goal: { value: 160_000, isAtMost: true } })
      }
  }
  return measured
}

async function countWaiting(
  { product, owner, safe }: Omit<Place, 'rpcUrl'>,
  { path, language }: { path: string; language: string },
): Promise<Fetched> {
  const page = await owner.context.newPage()
  await page.addInitScript(choose, language)
  await page.route('**/*', (route) => route.continue())
  const count = countFetched(page, product.url)
  await page.goto(`${product.url}${safePath(safe.chainId, safe.safeAddress)}${path}`)
  await page.locator('[data-listed-verdict]:not([data-listed-verdict="checking"])').first().waitFor()
  await page.waitForTimeout(1500)
  const counted = await count()
  await page.close()
  return counted
}

/** Gives a Safe what a team that works with it writes down. */
async function equip(product: Product, safe: SafeAt): Promise<void> {
  const [anna, bruno] = await Promise.all(
    [team.anna, team.bruno].map(({ privateKey }) => signInByScript(product.url, privateKey, safe.chainId)),
  )
  if (!anna || !bruno) throw new Error('Two owners sign in.')
  const place = { chainId: safe.chainId, safeAddress: safe.safeAddress }
  for (const [name, address] of [
    ['Bruno', team.bruno.address],
    ['Wages', team.relayer.address],
  ] as const)
    await call(anna.options, nameAddress, { ...place, address, name })
  const abi = '[{"type":"function","name":"poke","inputs":[{"name":"times","type":"uint256"}],"outputs":[]}]'
  await giveAbiByScript(anna, safe, { contract: team.relayer.address, name: 'Poker', abi })
  const amountLimits = [{ asset: zeroAddress, amount: parseEther('1'), period: 86_400 }]
  const policy = {
    ...nextPolicy(place, null),
    recipients: [team.bruno.address],
    amountLimits,
    reason: 'A day’s payments',
  }
  for (const [by, endpoint] of [
    [anna, proposePolicy],
    [bruno, approvePolicy],
  ] as const) {
    const signature = await by.account.signTypedData(policyTypedData(policy))
    await call(by.options, endpoint, {
      ...place,
      policy: writePolicy(policy),
      policyHash: hashPolicy(policy),
      signature,
    })
  }
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
