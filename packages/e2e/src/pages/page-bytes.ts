import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import {
  approvePolicy,
  type ClientOptions,
  call,
  getSafe,
  listChainStatus,
  nameAddress,
  proposePolicy,
} from '@countersign/contract'
import { hashPolicy, nextPolicy, policyTypedData, writePolicy } from '@countersign/review'
import type { Page } from 'playwright-core'
import { type Address, parseEther, zeroAddress } from 'viem'
import { countFetched, type Fetched, type Fetching } from '../browser/fetched.ts'
import { comeBack, openConnectDialog, safePath } from '../people/owner.ts'
import {
  addSafeByScript,
  giveAbiByScript,
  proposeByScript,
  type SafeAt,
  signInByScript,
} from '../people/script-owner.ts'
import { fundTokens, team } from '../people/team.ts'
import type { Scene } from '../product/scene.ts'

/** Bytes and requests of a page until it can be used, with an empty cache. Bytes are gzip bytes of JavaScript. */
export type PageBytes = {
  page: 'first page' | 'dialog' | 'queue' | 'Home'
  language: string
  /** Without the code of Workers. */
  javascript: number
  /** Code of Workers, once however many run it. */
  worker: number
  requests: number
  /** Requests to other hosts. */
  foreign: number
}

/**
 * Limits for each page, the same in every language. Two goals are missed. The queue and Home should load at most 484 kB each,
 * including the Worker. They load more, because each verdict needs a simulation and the whole review, and the EVM links curves for
 * precompiles that few contracts call. They should make at most 22 requests. Home makes 25, the queue 23, because calls to nodes for
 * the state of the Safe, the block, the facts and the comparison of the simulation follow one another.
 */
export const byteBudgets = {
  'first page': { javascript: 160_000, worker: 0, requests: 10 },
  dialog: { javascript: 220_000, worker: 0, requests: 15 },
  queue: { javascript: 265_000, worker: 252_000, requests: 24 },
  Home: { javascript: 265_000, worker: 252_000, requests: 26 },
}

/** Time without a new request after which a page has what it needs. */
const QUIET_MS = 1_500
/** The server tells a new page of the changes of the last three seconds: see `RECALLED_MS` of its `live/stream.ts`. */
const RECALLED_MS = 4_000
const languages = ['en', 'de', 'es', 'fr', 'zh']

/**
 * Measures the first page, the wallet dialog, and, until the first verdict, queue and Home of a team that has names, an ABI
 * and a policy, and a payment that waits. Pages are loaded in English. In other languages they fetch the same files but for
 * their texts.
 */
export async function measurePageBytes(scene: Scene): Promise<PageBytes[]> {
  const measured: PageBytes[] = []
  const add = (page: PageBytes['page'], fetched: Fetched) => {
    for (const language of languages) measured.push(bytesOf(page, language, fetched))
  }
  const visitor = await scene.visitor()
  const first = countFetched(visitor.page, scene.product.url)
  await visitor.page.goto(scene.product.url)
  await visitor.page.getByRole('button').first().waitFor()
  await settle(visitor.page, first)
  add('first page', await first())
  await openConnectDialog(visitor.page)
  await visitor.page.locator('button[data-wallet="walletConnect"]').waitFor()
  // Requested until now, whether answered or not: what comes after signing in is fetched later.
  const asked = first.asked()
  await settle(visitor.page, first)
  add('dialog', await first(asked))

  const safe = await teamWithPayment(scene)
  const visit = async (path: string): Promise<Fetched> => {
    const owner = await scene.owner(team.anna.privateKey)
    const fetching = countFetched(owner.page, scene.product.url)
    await comeBack(owner, `${safePath(safe.chainId, safe.safeAddress)}${path}`)
    await owner.page.locator('[data-listed-verdict]:not([data-listed-verdict="checking"])').first().waitFor()
    // Other pages' files are fetched once the verdict stands.
    const untilVerdict = fetching.asked()
    await settle(owner.page, fetching)
    await owner.context.close()
    return fetching(untilVerdict)
  }
  add('queue', await visit('/queue'))
  add('Home', await visit(''))
  return measured
}

/** Waits until nothing more is fetched. */
async function settle(page: Page, fetching: Fetching): Promise<void> {
  for (let asked = -1; asked !== fetching.asked(); ) {
    asked = fetching.asked()
    await page.waitForTimeout(QUIET_MS)
  }
}

const assets = join(import.meta.dirname, '../../../../dist/web/assets')

function bytesOf(page: PageBytes['page'], language: string, { scripts, requests, foreign }: Fetched): PageBytes {
  let javascript = 0
  let worker = 0
  for (const [path, size] of scripts) {
    if (/-worker-[^/]*\.js$/.test(path)) worker += size
    else javascript += sizeIn(language, path) ?? size
  }
  return { page, language, javascript, worker, requests, foreign }
}

/** Size of the file that holds these texts in another language; null for a file without texts. */
function sizeIn(language: string, path: string): number | null {
  const area = /\/en-([a-z-]+)-[^/]{8}\.js$/.exec(path)?.[1]
  if (area === undefined) return null
  const ofArea = new RegExp(`^${language}-${area}-.{8}\\.js$`)
  const name = readdirSync(assets).find((file) => ofArea.test(file))
  if (!name) throw new Error(`${path} has no translation ${language}-${area}.`)
  return gzipSync(readFileSync(join(assets, name)), { level: 9 }).length
}

/** A Safe with all that a team which works with it writes down, and a payment that waits for the reader. */
async function teamWithPayment(scene: Scene): Promise<SafeAt> {
  const { product, rpcUrl } = scene
  const safe = await scene.newSafe()
  await fundTokens({ product, rpcUrl }, safe.safeAddress)
  const [anna, bruno] = await Promise.all([
    signInByScript(product.url, team.anna.privateKey, safe.chainId),
    signInByScript(product.url, team.bruno.privateKey, safe.chainId),
  ])
  await addSafeByScript(bruno, safe.safeAddress)
  await proposeByScript(bruno, safe, { to: team.bruno.address, value: parseEther('0.1'), nonce: 0n })
  const place = { chainId: safe.chainId, safeAddress: safe.safeAddress }
  for (const [name, address] of [
    ['Bruno', team.bruno.address],
    ['Wages', team.relayer.address],
  ] as const)
    await call(anna.options, nameAddress, { ...place, address, name })
  const abi = '[{"type":"function","name":"poke","inputs":[{"name":"times","type":"uint256"}],"outputs":[]}]'
  await giveAbiByScript(anna, safe, { contract: team.relayer.address, name: 'Poker', abi })
  const policy = {
    ...nextPolicy(place, null),
    recipients: [team.bruno.address],
    amountLimits: [{ asset: zeroAddress, amount: parseEther('1'), period: 86_400 }],
    reason: 'A day’s payments',
  }
  for (const [by, endpoint] of [
    [anna, proposePolicy],
    [bruno, approvePolicy],
  ] as const) {
    const signature = await by.account.signTypedData(policyTypedData(policy))
    const written = { policy: writePolicy(policy), policyHash: hashPolicy(policy), signature }
    await call(by.options, endpoint, { ...place, ...written })
  }
  // A page that is told of a change asks again for what it shows.
  while (!(await isFollowed(anna.options, place))) await sleep(100)
  await sleep(RECALLED_MS)
  return safe
}

/** Whether the server has read the history of a Safe and of its chain until now. */
async function isFollowed(options: ClientOptions, place: { chainId: number; safeAddress: Address }): Promise<boolean> {
  const { backfillBlock } = await call(options, getSafe, place)
  const { chains } = await call(options, listChainStatus, {})
  return backfillBlock === null && chains.find(({ chainId }) => chainId === place.chainId)?.lag?.blocks === 0
}
