import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import {
  comeBack,
  confirmButton,
  connect,
  executeButton,
  fillProposal,
  names,
  openConnectDialog,
  openTransaction,
  safePath,
  sectionPath,
  statusText,
  transactionPath,
  verify,
} from '../people/owner.ts'
import { readDemoQueue, signInByScript } from '../people/script-owner.ts'
import { demoOwners, team } from '../people/team.ts'
import { type Scene, startScene } from '../product/scene.ts'
import { dialog, openDialog } from '../wallets/dialog.ts'
import { tourConnecting, tourScanning, tourVerifying } from '../wallets/dialog-tour.ts'
import { startRelay } from '../wallets/relay.ts'
import { everyPage } from './every-page.ts'

/** Every page in two languages, and what is to be seen after a step or two, in both themes, at the two widths that people have. */
const folder = fileURLToPath(new URL('../../../../screenshots/', import.meta.url))
const themes = ['light', 'dark'] as const
const widths = [1280, 360] as const
const languages = ['en', 'de'] as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// Where nothing was done yet: what the list names is there.
const fresh = await startScene({ env: {} })
try {
  await takeEveryPage(fresh)
  await fresh.closeOwners()
} finally {
  await fresh.close()
}
const relay = await startRelay()
const scene = await startScene({ configuration: { walletConnect: { relayUrl: relay.url } } })
try {
  await takeAll(scene)
  await scene.closeOwners()
} finally {
  await scene.close()
  await relay.close()
}

async function takeAll(scene: Scene): Promise<void> {
  const visitor = await scene.owner(demoOwners[0].privateKey)
  const { page } = visitor
  await page.goto(visitor.url)
  await settle(page)
  await take(page, '01-welcome')
  await openConnectDialog(page)
  await take(page, '02-connect', { isWindow: true })
  await connect(visitor)
  await page.getByRole('button', { name: names.sign, exact: true }).waitFor()
  await take(page, '03-verify', { isWindow: true })
  await verify(visitor)

  const script = await signInByScript(visitor.url, demoOwners[0].privateKey, scene.chainId)
  const demo = await readDemoQueue(script)
  await settle(page)
  await take(page, '04-my-safes')
  await page.keyboard.press('Control+k')
  await dialog(page).getByRole('option').first().waitFor()
  await take(page, '04-palette', { isWindow: true })
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await dialog(page).waitFor()
  await take(page, '04-shortcuts', { isWindow: true })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Take the tour of the demo Safe' }).click()
  await page.locator('[data-tour="1"]').waitFor()
  await take(page, '04-tour')
  await page.getByRole('button', { name: 'Leave the tour' }).click()
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}`)
  await settle(page)
  await take(page, '05-safe')
  await takeForReadme(page, 'safe-page', { width: 1280, height: 1080 })
  await takeSections(page, visitor.url, scene.chainId, demo.safeAddress)
  await showTransaction(page, visitor.url, scene.chainId, demo.safeAddress, demo.harmless)
  await take(page, '06-transaction-harmless')
  await take(page, '06-transaction-window', { isWindow: true })
  await takeForReadme(page, 'on-a-phone', { width: 360, height: 740 })
  await page.getByText('Import a signature', { exact: true }).click()
  await take(page, '06-transaction-import')
  await showTransaction(page, visitor.url, scene.chainId, demo.safeAddress, demo.malicious)
  await take(page, '07-transaction-malicious')
  await takeForReadme(page, 'do-not-sign', { width: 1280, height: 1080 })
  await fillProposal(visitor, demo.safeAddress, { to: team.stranger.address, amount: '0.5' })
  await settle(page)
  await take(page, '08-propose')
  await openTransaction(visitor, demo.safeAddress, demo.harmless)
  await confirmButton(page).click()
  await executeButton(page).click()
  await statusText(page, names.executed).waitFor()
  await settle(page)
  await take(page, '09-executed')
  await openDialog(page)
  await dialog(page).locator('[data-sent]').waitFor()
  await take(page, 'dialog-profile', { isWindow: true })
  await page.goto(`${visitor.url}${sectionPath(scene.chainId, demo.safeAddress, 'assets')}`)
  await page.getByText('Balance over time', { exact: true }).click()
  await page.getByRole('slider').waitFor()
  await take(page, '11-balance-over-time')
  await page.goto(`${visitor.url}/chains`)
  await settle(page)
  await take(page, '12-chains')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}/team`)
  await nameOnTeamPage(page)
  await take(page, '13-team')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}/team/policy`)
  await page.getByText('No policy yet').waitFor()
  await settle(page)
  await take(page, '20-policy')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}/team/webhooks`)
  await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.com/safe')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.locator('[data-shown-once]').waitFor()
  await settle(page)
  await take(page, '19-webhooks')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}/signatures`)
  await page.locator('[data-verdict="do-not-sign"]').first().waitFor()
  await settle(page)
  await take(page, '20-signatures')
  await page.goto(`${visitor.url}/tokens`)
  await page.getByLabel('Name', { exact: true }).fill('Nightly report')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.locator('[data-shown-once]').waitFor()
  await settle(page)
  await take(page, '14-tokens')
  const safeUrl = `${visitor.url}${safePath(scene.chainId, demo.safeAddress)}`
  await takeMessages(page, safeUrl)
  await page.goto(`${safeUrl}/book`)
  await nameInBook(page)
  await take(page, '17-book')
  await page.goto(`${safeUrl}/activity`)
  await page.locator('[data-verb="named-address"]').waitFor()
  await take(page, '18-activity')
  for (const tour of [tourConnecting, tourScanning, tourVerifying])
    await tour(scene, (at, screen) => take(at, `dialog-${screen}`, { isWindow: true }))
}

/** Every page as it opens, in each language, in a folder of its own. The list of what is there is that of the tests. */
async function takeEveryPage(scene: Scene): Promise<void> {
  const visitor = await scene.owner(demoOwners[0].privateKey)
  const { page, url } = visitor
  // The page of what nobody knows asks for it.
  visitor.watch.expect(/404/)
  await comeBack(visitor)
  const script = await signInByScript(url, demoOwners[0].privateKey, scene.chainId)
  const { pages } = await everyPage(script)
  for (const language of languages) {
    await page.evaluate((chosen) => localStorage.setItem('countersign.locale', chosen), language)
    for (const [name, { path, shows }] of Object.entries(pages)) {
      await page.goto(`${url}${path}`)
      await page.locator(shows).first().waitFor()
      await settle(page)
      await take(page, `${language}/${name.toLowerCase().replaceAll(' ', '-')}`)
    }
  }
}

/** Sections of a Safe that need nothing done before, the switcher, and what a phone has behind *More*. */
async function takeSections(page: Page, url: string, chainId: number, safe: Address): Promise<void> {
  for (const section of ['queue', 'history', 'assets', 'settings'] as const) {
    await page.goto(`${url}${sectionPath(chainId, safe, section)}`)
    await settle(page)
    await take(page, `05-${section}`)
  }
  await page.getByRole('button', { name: /^Switch Safe/ }).click()
  await dialog(page).getByRole('link').first().waitFor()
  await take(page, '05-switcher', { isWindow: true })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'More' }).click()
  await take(page, '05-more', { isWindow: true })
  await page.keyboard.press('Escape')
  await page.goto(`${url}/account`)
  await page.locator('[data-sessions] li').first().waitFor()
  await take(page, '21-account')
}

/** The list with nothing in it, one being written, and one that waits for others. */
async function takeMessages(page: Page, safeUrl: string): Promise<void> {
  await page.goto(`${safeUrl}/messages`)
  await settle(page)
  await take(page, '15-messages-none')
  await page.goto(`${safeUrl}/messages/new`)
  await page.getByLabel('Text', { exact: true }).fill('We agree to the terms of 2026.')
  await take(page, '15-messages-new')
  await page.getByRole('button', { name: names.review, exact: true }).click()
  await page.getByRole('button', { name: names.propose, exact: true }).click()
  await page.waitForURL(/\/messages\/0x/)
  await settle(page)
  await take(page, '16-message')
  await page.goto(`${safeUrl}/messages`)
  await settle(page)
  await take(page, '15-messages')
}

async function nameInBook(page: Page): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(team.stranger.address)
  await page.getByLabel('Name', { exact: true }).fill('Design studio')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.locator(`[data-named="${team.stranger.address}" i]`).waitFor()
}

/** A proposer and a viewer. */
async function nameOnTeamPage(page: Page): Promise<void> {
  await page.getByLabel('Proposer address').fill(team.anna.address)
  await page.getByLabel('Proposer name').fill('Payroll')
  await page.getByRole('button', { name: 'Add proposer' }).click()
  await page.getByLabel('Viewer address').fill(team.bruno.address)
  await page.getByLabel('Viewer name').fill('Auditor')
  await page.getByRole('button', { name: 'Invite viewer' }).click()
  await page.locator(`[data-person="${team.bruno.address}" i]`).waitFor()
  await page.locator(`[data-person="${team.anna.address}" i]`).waitFor()
}

async function showTransaction(page: Page, url: string, chainId: number, safe: Address, hash: Hex): Promise<void> {
  await page.goto(`${url}${transactionPath(chainId, safe, hash)}`)
  await settle(page)
}

/** Until nothing loads any more: the event stream keeps the network busy, so it is not waited for. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await page.waitForTimeout(1200)
}

async function take(page: Page, name: string, { isWindow = false } = {}): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
      await page.waitForTimeout(150)
      // Elements held to the window would stand in the middle of nowhere in a longer picture.
      await holdBar(page, isWindow ? 'sticky' : 'static')
      await page.screenshot({ path: `${folder}${name}-${colorScheme}-${width}.png`, fullPage: !isWindow })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  console.log(name)
}

async function holdBar(page: Page, position: 'sticky' | 'static'): Promise<void> {
  await page.evaluate((how) => {
    for (const bar of document.querySelectorAll<HTMLElement>('[data-decision-bar], [data-tabs]'))
      bar.style.position = how
  }, position)
}

/** As it first stands in the window; for docs/pictures, once its colours are reduced to a palette. */
async function takeForReadme(page: Page, name: string, size: { width: number; height: number }): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(size)
  await holdBar(page, 'sticky')
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.screenshot({ path: `${folder}readme-${name}.png` })
  await page.setViewportSize({ width: 1280, height: 900 })
}
