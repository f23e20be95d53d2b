import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  approveInDemoWallet,
  confirmButton,
  demoSafeLink,
  executeButton,
  names,
  type Owner,
  openConnectDialog,
  sessionStatus,
  startVerifying,
  statusText,
  walletEntry,
} from '../src/people/owner.ts'
import { readDemoQueue, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({})
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Nothing installed, nothing known: what a person has who opened the page for the first time. */
async function visitor(): Promise<Owner> {
  const owner = await scene.owner(team.relayer.privateKey)
  await owner.page.goto(owner.url)
  await openConnectDialog(owner.page)
  await walletEntry(owner.page, names.demoWallet).click()
  await owner.page
    .getByRole('dialog')
    .getByRole('button', { name: /owner 1/i })
    .click()
  await startVerifying(owner.page)
  await approveInDemoWallet(owner.page)
  await sessionStatus(owner.page, 'authenticated').waitFor({ state: 'attached' })
  return owner
}

describe('the first minute with the Demo wallet', () => {
  test('behavior: the harmless transaction is confirmed and executed, the malicious one stops', async () => {
    const { page } = await visitor()
    // The tour can be left at any step, and is taken up again there.
    await page.getByRole('button', { name: 'Take the tour of the demo Safe' }).click()
    await page.locator('[data-tour="1"]').getByRole('button', { name: 'Next step' }).click()
    await page.locator('[data-tour="2"]').getByRole('button', { name: 'Leave the tour' }).click()
    await page.locator('[data-tour]').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Resume the tour at step 2' }).click()
    await page.locator('[data-tour="2"]').getByRole('button', { name: 'Leave the tour' }).click()
    await demoSafeLink(page).click()
    await page.getByRole('link', { name: 'Whole queue' }).click()
    const script = await signInByScript(scene.product.url, demoOwners[0].privateKey, scene.chainId)
    const { harmless, malicious } = await readDemoQueue(script)
    // A transaction that must not be signed does not wait for anybody.
    const row = (safeTxHash: string) => page.locator(`[data-transaction="${safeTxHash}"]`)
    await row(malicious).getByText(names.doNotSign).waitFor()
    await row(harmless).getByText(names.waitsForYou).waitFor()
    expect(await row(malicious).getByText(names.waitsForYou).count()).toBe(0)
    expect(await row(harmless).getByText(names.doNotSign).count()).toBe(0)
    expect(await page.locator('[data-awaiting-me]').getAttribute('data-awaiting-me')).toBe('1')
    expect(await page.locator('[data-awaiting-me]').textContent()).toContain('Do not sign: 1 transaction')

    await page.locator(`a[href*="${harmless}"]`).first().click()
    await page.getByText(/1,250/).first().waitFor()
    await confirmButton(page).click()
    await approveInDemoWallet(page)
    await executeButton(page).click()
    await approveInDemoWallet(page)
    await statusText(page, names.executed).waitFor()
    // The one that is left must not be signed: it is no next step.
    await page.locator('[data-next="none"]').waitFor()

    await page.goBack()
    await page.locator(`a[href*="${malicious}"]`).first().click()
    await page.getByText(names.doNotSign).first().waitFor()
    expect(await confirmButton(page).count()).toBe(0)
    expect(await executeButton(page).count()).toBe(0)
    const words = await page.getByRole('main').textContent()
    expect(words).toMatch(/delegatecall/i)
    expect(words).toContain('Runs unknown code as your Safe')
    expect(words).toContain('Countersign does not let you confirm or execute this transaction.')
    // The proposer's story stands there as what it is: a claim.
    expect(words).toContain('Weekly transfer to hot wallet')
  })
})
