import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { everyPage, type PageOfProduct } from '../src/pages/every-page.ts'
import { comeBack, connectionStatus, type Owner, safePath, transactionPath } from '../src/people/owner.ts'
import { readDemoQueue, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

/*
 * The page built with texts of a language that nobody speaks: accented, longer by a third, with marks of right-to-left
 * script. What is still readable on it comes from no catalogue, and what overflows has no room for other languages. Every
 * page is read in a soak, a few in each run.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url))

let scene: Scene
let built: string
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'countersign-pseudo-'))
  const vite = ['node_modules/vite/bin/vite.js', 'build', 'packages/web', '--outDir', built, '--logLevel', 'warn']
  const env = { ...process.env, COUNTERSIGN_PSEUDO: 'yes' }
  // In a soak a product of its own: what others write into a shared one is in no catalogue.
  const product = isSoak ? startScene({}) : startScene()
  const [started] = await Promise.all([product, promisify(execFile)(process.execPath, vite, { cwd: root, env })])
  scene = started
})
afterAll(async () => {
  try {
    await scene?.close()
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
})

/** Serves the built pseudo-language in the place of the page; the API stays the product's. */
async function speakPseudo({ context, url, watch }: Owner): Promise<void> {
  // Parts of a page that are still on their way when the next one is opened. A file that is not there is a 404.
  watch.expect(/Failed to fetch dynamically imported module|net::ERR_FAILED/)
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
  await context.route(`${url}/assets/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const contentType = types[pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const file = join(built, pathname)
    await route.fulfill(existsSync(file) ? { body: readFileSync(file), contentType } : { status: 404 })
  })
  await context.route(
    (at) => at.origin === url && !/^\/(?:api|assets)\b/.test(at.pathname) && !/\.\w+$/.test(at.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.continue()
      // With the headers of the product, its Content-Security-Policy among them.
      const response = await route.fetch()
      await route.fulfill({ response, body: readFileSync(join(built, 'index.html'), 'utf8') })
    },
  )
}

/**
 * Names of the product, of currencies, of fields, of standards, of rules of the EVM, of contracts of a release and of the
 * browsers with a session.
 * They are the same in every language. Months are named by the locale, which is English here.
 */
const names = new Set(
  `Countersign Safe Devnet Anvil Ether ETH TUSD MetaMask WalletConnect Coinbase Ethereum EOA EIP ERC JSON ABI API URL UTC
  to value data operation safeTxGas baseGas gasPrice gasToken refundReceiver nonce origin address amount
  Chrome Linux Node Osaka MultiSendCallOnly
  English Deutsch Español Français
  Jan Feb Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec
  January February March April June July August September October November December`.split(/\s+/),
)
/** Texts of the demo's people, the token's own claims, names of token lists, registries and wallets, and the address that has no page. */
const written = [
  'Scripted Wallet',
  'Demo wallet',
  'Coinbase Wallet',
  'Weekly transfer to hot wallet',
  'Invoice 1042, design work',
  'Test Dollar',
  'Aave token list',
  'supplier.eth',
  'We accept the terms of 2026.',
  '/nowhere',
]

/** Plain words in texts, labels, titles, placeholders and the title of the document. */
async function readableWords(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const texts: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
          texts.push(node.getAttribute(name) ?? '')
        continue
      }
      // Data of people and of the chain: code, times, what is marked as such.
      if (!node.parentElement?.closest('script, style, noscript, code, pre, time')) texts.push(node.textContent ?? '')
    }
    return texts
  })
  return found.filter((text) =>
    written
      .reduce((rest, words) => rest.replaceAll(words, ' '), text)
      // Hashes and addresses, also in groups; ids of requests.
      .replace(/\b0x[0-9a-f…]*|\b[0-9a-f]+(?:-[0-9a-f]+){4}\b|\b[0-9a-f]{4}(?:[0-9a-f]{4})?\b/gi, ' ')
      // Codes of findings and errors; signatures and types of functions.
      .replace(/\b[A-Z][A-Z\d]*[-_][A-Z_-]+\b|\b\w+\([\w,]*\)|\bu?int256\b/g, ' ')
      .split(/[^\p{L}\p{M}]+/u)
      .some((word) => /^[A-Za-z]{3,}$/.test(word) && !names.has(word)),
  )
}

/** All pages in a soak; else those with the most kinds of text. */
async function pagesToRead(): Promise<[string, PageOfProduct][]> {
  const script = await signInByScript(scene.product.url, demoOwners[0].privateKey, scene.chainId)
  if (isSoak) return Object.entries((await everyPage(script)).pages)
  const { safeAddress, malicious } = await readDemoQueue(script)
  const path = transactionPath(scene.chainId, safeAddress, malicious)
  return [
    ['Malicious transaction', { path, shows: '[data-verdict="do-not-sign"]' }],
    ['New transaction', { path: `${safePath(scene.chainId, safeAddress)}/new`, shows: 'main form:visible' }],
  ]
}

/** By screen: words that are readable, and parts that are wider than the window. */
type Seen = { left: Record<string, string[]>; wide: Record<string, string[]> }

async function look(page: Page, screen: string, { left, wide }: Seen): Promise<void> {
  const words = await readableWords(page)
  if (words.length > 0) left[screen] = [...new Set(words)]
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (part) => part.getBoundingClientRect().right > clientWidth,
    )
    return beyond.map((part) => `${part.tagName} ${part.className}: ${part.textContent.slice(0, 60)}`)
  })
  if (tooWide.length > 0) wide[screen] = tooWide
}

/** Until nothing loads any more. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('main').getByText('⟧').first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(1_000)
}

test('behavior: no screen has a word that is in no catalogue, nor one too long for a phone', async () => {
  const seen: Seen = { left: {}, wide: {} }
  const named = await pagesToRead()
  // Each page is given time to come whole: two are read at a time.
  await Promise.all(
    [0, 1].map((half) =>
      lookAt(
        named.filter((_, index) => index % 2 === half),
        seen,
      ),
    ),
  )

  const visitor = await scene.owner(demoOwners[1].privateKey)
  await speakPseudo(visitor)
  await visitor.page.setViewportSize({ width: 360, height: 740 })
  await visitor.page.goto(scene.product.url)
  await settle(visitor.page)
  await look(visitor.page, 'welcome', seen)
  await visitor.page.getByRole('banner').getByRole('button').last().click()
  const wallet = visitor.page.locator('button[data-wallet]', { hasText: visitor.wallet.name })
  await wallet.waitFor()
  await look(visitor.page, 'connect', seen)
  await wallet.click()
  await sessionlessDialog(visitor.page)
  await look(visitor.page, 'verify', seen)

  expect(seen).toEqual({ left: {}, wide: {} })
})

async function lookAt(pages: [string, PageOfProduct][], seen: Seen): Promise<void> {
  const owner = await scene.owner(demoOwners[0].privateKey)
  const { page, url } = owner
  await comeBack(owner)
  await speakPseudo(owner)
  owner.watch.expect(/404/)
  await page.setViewportSize({ width: 360, height: 740 })
  for (const [name, { path, shows }] of pages) {
    await page.goto(`${url}${path}`)
    await page.locator(shows).first().waitFor()
    await settle(page)
    await look(page, name, seen)
    // Empty forms: each field says what is missing.
    const submits = await page.getByRole('main').locator('form button[type="submit"]:enabled:visible').all()
    for (const submit of submits) await submit.click()
    if (submits.length > 0) await look(page, `${name}, submitted`, seen)
  }
}

/** The wallet is connected and the account waits to be verified. */
async function sessionlessDialog(page: Page): Promise<void> {
  await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  await page.getByRole('dialog').first().getByText('⟧').first().waitFor()
}
