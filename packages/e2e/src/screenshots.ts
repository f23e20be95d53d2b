import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import { dialog, openDialog } from './dialog.ts'
import { tourConnecting, tourScanning, tourVerifying } from './dialog-tour.ts'
import {
  confirmButton,
  connect,
  executeButton,
  fillProposal,
  names,
  openConnectDialog,
  openTransaction,
  safePath,
  statusText,
  transactionPath,
  verify,
} from './owner.ts'
import { startRelay } from './relay.ts'
import { type Scene, startScene } from './scene.ts'
import { readDemoQueue, signInByScript } from './script-owner.ts'
import { demoOwners, team } from './team.ts'

/** Every screen, in both themes, at the two widths that people have. */
const folder = fileURLToPath(new URL('../../../screenshots/', import.meta.url))
const themes = ['light', 'dark'] as const
const widths = [1280, 360] as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
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
  await page.getByRole('main').waitFor()
  await take(page, '01-welcome')
  await openConnectDialog(page)
  await take(page, '02-connect', { isDialog: true })
  await connect(visitor)
  await page.getByRole('button', { name: names.sign, exact: true }).waitFor()
  await take(page, '03-verify', { isDialog: true })
  await verify(visitor)

  const script = await signInByScript(visitor.url, demoOwners[0].privateKey, scene.chainId)
  const demo = await readDemoQueue(script)
  await settle(page)
  await take(page, '04-my-safes')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}`)
  await settle(page)
  await take(page, '05-safe')
  await showTransaction(page, visitor.url, scene.chainId, demo.safeAddress, demo.harmless)
  await take(page, '06-transaction-harmless')
  await showTransaction(page, visitor.url, scene.chainId, demo.safeAddress, demo.malicious)
  await take(page, '07-transaction-malicious')
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
  await take(page, 'dialog-profile', { isDialog: true })
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}`)
  await page.getByText('Balance over time', { exact: true }).click()
  await page.getByRole('slider').waitFor()
  await take(page, '11-balance-over-time')
  await page.goto(`${visitor.url}/chains`)
  await settle(page)
  await take(page, '12-chains')
  await page.goto(`${visitor.url}${safePath(scene.chainId, demo.safeAddress)}/team`)
  await nameOnTeamPage(page)
  await take(page, '13-team')
  await page.goto(`${visitor.url}/tokens`)
  await page.getByLabel('What it is for').fill('Nightly report')
  await page.getByRole('button', { name: 'Make the token' }).click()
  await page.locator('[data-new-token]').waitFor()
  await settle(page)
  await take(page, '14-tokens')
  await page.goto(`${visitor.url}/design`)
  await settle(page)
  await take(page, '10-design')
  for (const tour of [tourConnecting, tourScanning, tourVerifying])
    await tour(scene, (at, screen) => take(at, `dialog-${screen}`, { isDialog: true }))
}

/** A proposer and a viewer. */
async function nameOnTeamPage(page: Page): Promise<void> {
  await page.getByLabel('Address of the proposer').fill(team.anna.address)
  await page.getByLabel('What the proposer is called').fill('Payroll')
  await page.getByRole('button', { name: 'Name the proposer' }).click()
  await page.getByLabel('Address of the viewer').fill(team.bruno.address)
  await page.getByLabel('What the viewer is called').fill('Auditor')
  await page.getByRole('button', { name: 'Invite the viewer' }).click()
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

async function take(page: Page, name: string, { isDialog = false } = {}): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
      await page.waitForTimeout(150)
      // A dialog covers the window; a longer picture would show it in the middle of nowhere.
      await page.screenshot({ path: `${folder}${name}-${colorScheme}-${width}.png`, fullPage: !isDialog })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  console.log(name)
}
