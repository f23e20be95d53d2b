import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { type Hex, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, openTransaction } from '../src/people/owner.ts'
import { proposeByScript, readTransaction, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { readQr } from '../src/wallets/qr.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const offlinePage = pathToFileURL(join(import.meta.dirname, '../../../second-look/index.html')).href

/** The fold of the hashes, with the file and the code of the proposal. */
async function openHashes(page: Page) {
  await page.getByRole('heading', { name: 'Hashes', exact: true }).click()
  await page.getByText('Show it as a QR code').click()
}

describe('a second look', () => {
  test('default: the code and the file of a proposal, read by the page on the disk; what is signed there is imported', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page, context } = bruno
    await comeBack(bruno)
    const { safeTxHash } = await proposeByScript(anna, safe, { to: team.stranger.address, value: 7n, nonce: 0n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await openHashes(page)
    const code = await readQr(page, 'QR code of the proposal')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the proposal as a file' }).click(),
    ])

    bruno.watch.expect(/^request left: file:.*\/second-look\//)
    // The product's page, which is open beside, asks whether its server is there without a network.
    bruno.watch.expect(/^console: Failed to load resource: net::ERR_INTERNET_DISCONNECTED$/)
    const offline = await context.newPage()
    await context.setOffline(true)
    await offline.goto(offlinePage)
    await offline.getByLabel('The proposal, as JSON').fill(code)
    await offline.getByRole('button', { name: 'Look at it' }).click()
    const report = offline.locator('#report')
    await expect.poll(() => report.textContent()).toContain(safeTxHash)
    expect(await report.textContent()).toContain('None. That a call can be read')
    const typedData = JSON.parse((await offline.locator('#typed').textContent()) ?? '')

    await offline.reload()
    await offline.getByLabel('Or its file, or a picture of its QR code').setInputFiles(await download.path())
    await expect.poll(() => report.textContent()).toContain(safeTxHash)
    await offline.getByLabel('The proposal, as JSON').fill('hello')
    // No report stays under a proposal that it is not of.
    expect(await report.isVisible()).toBe(false)
    await offline.getByRole('button', { name: 'Look at it' }).click()
    expect(await offline.getByRole('alert').textContent()).toBe('This cannot be read: This is no JSON.')
    expect(await report.isVisible()).toBe(false)
    await offline.close()
    await context.setOffline(false)

    const signature: Hex = await privateKeyToAccount(team.bruno.privateKey).signTypedData(typedData)
    await page.locator('[data-import="offered"] summary').click()
    await page.getByLabel('Signature as hex').fill(signature)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect
      .poll(async () => (await readTransaction(anna, safeTxHash)).confirmations.map(({ owner }) => owner))
      .toContain(team.bruno.address)
  })

  test('behavior: a proposal that no code holds is taken as a file; the fold has no faults on a phone', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = bruno
    await comeBack(bruno)
    const data: Hex = `0x${'ab'.repeat(1_000)}`
    const long = await proposeByScript(anna, safe, { to: team.stranger.address, value: 1n, nonce: 0n, data })
    await openTransaction(bruno, safe.safeAddress, long.safeTxHash)
    await page.getByRole('heading', { name: 'Hashes', exact: true }).click()
    await page.getByText('Too long for a QR code: take the file.').waitFor()
    const short = await proposeByScript(anna, safe, { to: team.stranger.address, value: 1n, nonce: 1n })
    await openTransaction(bruno, safe.safeAddress, short.safeTxHash)
    await openHashes(page)
    const read: unknown = JSON.parse(await readQr(page, 'QR code of the proposal')).data
    expect(isHex(read)).toBe(true)
    expect(await faultsOf(page)).toEqual([])
  })
})
