import { SCRIPTED_RDNS, type ScriptedWallet, type WalletOptions } from '@countersign/devnet/scripted-wallet'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import { UI_TIMEOUT_MS } from '../browser/ui-timeout.ts'
import { type Watch, watchContext } from '../browser/watch.ts'
import { installWallet } from '../wallets/wallet.ts'
import { addSafeByScript, signInByScript } from './script-owner.ts'

/** A browser profile, and a watch over everything that goes wrong there. */
export type Visitor = {
  context: BrowserContext
  page: Page
  watch: Watch
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** One person: a profile of their own with a wallet in it. */
export type Owner = Visitor & { wallet: ScriptedWallet; chainId: number; options: OwnerOptions }

export type OwnerOptions = WalletOptions & { url: string }

export async function newOwner(browser: Browser, options: OwnerOptions): Promise<Owner> {
  const { context, watch } = await newContext(browser, options.url)
  const wallet = await installWallet(context, options)
  return { ...(await newPage(context, watch, options.url)), wallet, chainId: options.chainId, options }
}

/** Somebody who has nothing installed. */
export async function newVisitor(browser: Browser, url: string): Promise<Visitor> {
  const { context, watch } = await newContext(browser, url)
  return newPage(context, watch, url)
}

async function newContext(browser: Browser, url: string): Promise<Pick<Visitor, 'context' | 'watch'>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(UI_TIMEOUT_MS)
  return { context, watch: await watchContext(context, new URL(url).origin) }
}

async function newPage(context: BrowserContext, watch: Watch, url: string): Promise<Visitor> {
  const page = await context.newPage()
  return { context, page, watch, url, [Symbol.asyncDispose]: () => context.close() }
}

/** Opens the product, connects the wallet and verifies the account: the whole first visit. */
export async function signIn(owner: Owner, path = '/'): Promise<void> {
  await owner.page.goto(`${owner.url}${path}`)
  await connect(owner)
  await verify(owner)
}

/**
 * Comes as somebody who was here before: the browser has the session's cookie, and the wallet shows its account again. For
 * tests of what comes after signing in.
 *
 * @param path - is opened; without one the test opens a page itself, and none is loaded twice.
 */
export async function comeBack(owner: Owner, path?: string): Promise<void> {
  const { page, context, wallet, url, chainId } = owner
  const { privateKey, rdns = SCRIPTED_RDNS } = owner.options
  const { cookies } = await signInByScript(url, privateKey, chainId)
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })))
  await context.addInitScript(rememberWallet, rdns)
  await wallet.unlock()
  if (path === undefined) return
  await page.goto(`${url}${path}`)
  await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
  await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
}

/** Runs in the page, at each load: what a person changes there later stays. */
function rememberWallet(id: string): void {
  const isPage = location.protocol.startsWith('http')
  if (!isPage || localStorage.getItem('countersign.last-wallet')) return
  localStorage.setItem('countersign.signed-in', 'yes')
  localStorage.setItem('countersign.last-wallet', id)
  localStorage.setItem('countersign.connected-wallet', id)
}

export async function connect({ page, wallet }: Owner): Promise<void> {
  await openConnectDialog(page)
  await walletEntry(page, wallet.name).click()
  await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
}

export async function openConnectDialog(page: Page): Promise<void> {
  if (await page.getByRole('dialog').first().isVisible()) return
  await page.getByRole('button', { name: names.connect }).first().click()
  await page.getByRole('dialog').first().waitFor()
}

export function walletEntry(page: Page, name: string): Locator {
  return page.getByRole('dialog').locator('button[data-wallet]', { hasText: name })
}

export async function verify({ page }: Pick<Owner, 'page'>): Promise<void> {
  await startVerifying(page)
  await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
}

export async function startVerifying(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').first()
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: names.verify }).first().click()
  await dialog.getByRole('button', { name: names.sign, exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: names.profile }).click()
  await page.getByRole('dialog').getByRole('button', { name: names.signOut, exact: true }).click()
}

/** The Demo wallet asks in the page itself. */
export async function approveInDemoWallet(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: names.approve, exact: true }).click()
}

export function connectionStatus(page: Page, status: string): Locator {
  return page.locator(`html[data-connection-status="${status}"]`)
}

export function sessionStatus(page: Page, status: string): Locator {
  return page.locator(`html[data-session-status="${status}"]`)
}

export function safePath(chainId: number, safeAddress: Address): string {
  return `/safes/${chainId}/${safeAddress}`
}

/** The path of a section of a Safe. */
export function sectionPath(
  chainId: number,
  safeAddress: Address,
  section: 'queue' | 'history' | 'assets' | 'settings' | 'messages' | 'book' | 'team' | 'activity' | 'signatures',
): string {
  return `${safePath(chainId, safeAddress)}/${section}`
}

export function transactionPath(chainId: number, safeAddress: Address, safeTxHash: Hex): string {
  return `${safePath(chainId, safeAddress)}/transactions/${safeTxHash}`
}

/** Has the account keep a Safe: the page comes later. */
export async function addSafe({ options, url, chainId }: Owner, safeAddress: Address): Promise<void> {
  await addSafeByScript(await signInByScript(url, options.privateKey, chainId), safeAddress)
}

/** Adds a Safe in My Safes, as a person does, and is on its page then. */
export async function addSafeInPage({ page, url, chainId }: Owner, safeAddress: Address): Promise<void> {
  await page.goto(url)
  await page.getByLabel(names.safeAddress).fill(safeAddress)
  await page.getByRole('button', { name: names.addSafe, exact: true }).click()
  await page.waitForURL((at) => at.pathname === safePath(chainId, safeAddress))
}

export type Transfer = { asset?: string; to: Address; amount: string }

/** Fills the proposal and answers the page before it is sent. */
export async function fillProposal(owner: Owner, safeAddress: Address, { asset, to, amount }: Transfer): Promise<void> {
  const { page, url, chainId } = owner
  await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
  if (asset) await chooseAsset(page, asset)
  await page.getByLabel(names.recipient, { exact: true }).fill(to)
  await page.getByLabel(names.amount, { exact: true }).fill(amount)
}

async function chooseAsset(page: Page, asset: string): Promise<void> {
  const select = page.getByLabel(names.asset, { exact: true })
  const option = select.locator('option', { hasText: asset })
  await select.selectOption({ label: (await option.first().textContent()) ?? asset })
}

/** Proposes a transfer and answers its safeTxHash, read from the address that the page went to. */
export async function propose(owner: Owner, safeAddress: Address, transfer: Transfer): Promise<Hex> {
  await fillProposal(owner, safeAddress, transfer)
  await sendProposal(owner)
  return safeTxHashOf(owner.page)
}

export async function sendProposal({ page }: Owner): Promise<void> {
  await page.getByRole('button', { name: names.review, exact: true }).click()
  await tickAll(page)
  await page.getByRole('button', { name: names.propose, exact: true }).click()
}

export async function safeTxHashOf(page: Page): Promise<Hex> {
  await page.waitForURL(/\/transactions\/0x[0-9a-f]{64}/)
  const hash = /0x[0-9a-f]{64}/.exec(new URL(page.url()).pathname.split('/transactions/')[1] ?? '')?.[0]
  if (!hash) throw new Error(`no safeTxHash in ${page.url()}`)
  return hash as Hex
}

export async function openTransaction(owner: Owner, safeAddress: Address, safeTxHash: Hex): Promise<void> {
  await owner.page.goto(`${owner.url}${transactionPath(owner.chainId, safeAddress, safeTxHash)}`)
}

export function confirmButton(page: Page): Locator {
  return page.getByRole('button', { name: names.confirm })
}

export function executeButton(page: Page): Locator {
  return page.getByRole('button', { name: names.execute })
}

/** One point beside the button that waits for an answer, by its finding. */
export function demand(page: Page, finding: string): Locator {
  return page.locator(`[data-demand="${finding}"]`)
}

/** Ticks what the findings say, once they are there. */
export async function tick(page: Page, ...findings: string[]): Promise<void> {
  for (const finding of findings) {
    for (const checkbox of await all(demand(page, finding).getByRole('checkbox'))) await checkbox.check()
  }
}

/** Ticks whatever there is to tick beside a button, once the review has come to what there is. */
export async function tickAll(page: Page): Promise<void> {
  await page.locator('[data-verdict]').first().waitFor()
  for (const checkbox of await page.locator('[data-way="tick"]').getByRole('checkbox').all()) await checkbox.check()
}

/** Types what changes, and why. */
export async function typeChange(page: Page, finding: string, typed: string, reason = 'As decided'): Promise<void> {
  const fields = demand(page, finding).getByRole('textbox')
  await fields.nth(0).fill(typed)
  await fields.nth(1).fill(reason)
}

async function all(locator: Locator): Promise<Locator[]> {
  await locator.first().waitFor()
  return locator.all()
}

/** Opens a part of the evidence that is folded. */
export async function openEvidence(page: Page, title: string): Promise<void> {
  await page.locator('summary').getByRole('heading', { name: title, exact: true }).click()
}

/** Words about where a transaction stands, in the part of the page that is its own. */
export function statusText(page: Page, words: string | RegExp): Locator {
  return page.getByRole('main').getByText(words).first()
}

/** The verdict's words, once the review has come to one. */
export function verdict(page: Page, words: RegExp): Locator {
  return page.getByRole('main').getByText(words).first()
}

/** A hash as the page shows it, by its value: the screen draws it in groups. */
export function shownHash(page: Page, hash: Hex): Locator {
  return page.locator(`[data-hash="${hash}" i]`).first()
}

/** The demo Safe in My Safes. */
export function demoSafeLink(page: Page): Locator {
  return page.getByRole('main').locator('a[href*="/safes/31337/"]').first()
}

/** Names on the screen, in one place. */
export const names = {
  connect: /^connect( a)? wallet$/i,
  verify: /^verify your account$/i,
  sign: 'Sign the message',
  profile: /^account 0x/i,
  signOut: 'Sign out',
  safeAddress: 'Safe address',
  addSafe: 'Add',
  asset: 'Asset',
  recipient: 'Recipient',
  amount: 'Amount',
  review: 'Review',
  change: 'Edit',
  propose: 'Sign and propose',
  confirm: /^confirm( again)?$/i,
  execute: /^execute( again)?$/i,
  executed: /^executed$/i,
  doNotSign: /^do not sign$/i,
  waitsForYou: 'Needs your confirmation',
  demoWallet: 'Demo wallet',
  approve: 'Approve',
} as const
