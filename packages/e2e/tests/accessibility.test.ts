import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, fillProposal, names, openConnectDialog, sectionPath, transactionPath } from '../src/people/owner.ts'
import { readDemoQueue, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())

describe('a visitor', () => {
  afterEach(() => scene.closeOwners())

  test('behavior: welcome and the connect dialog, by keyboard alone', async () => {
    const { page, url } = await scene.owner(team.anna.privateKey)
    await page.goto(url)
    const connect = page.getByRole('banner').getByRole('button', { name: names.connect })
    await connect.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await connect.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await connect.evaluate((button) => button === document.activeElement)).toBe(true)
    await openConnectDialog(page)
  })
})

/** Pages are looked at as they open in `every-page.test.ts`; these are there after a step. */
describe('an owner', () => {
  afterEach(() => scene.closeOwners())

  test('behavior: a row of the history that is open, and a proposal: no violation in either theme, and they fit 320 px', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    await comeBack(owner)
    const { page, url, chainId } = owner
    const script = await signInByScript(url, demoOwners[0].privateKey, chainId)
    const { safeAddress } = await readDemoQueue(script)
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'history')}`)
    await page.locator('[data-history-row] summary').first().click()
    await page.locator('[data-entry]').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await fillProposal(owner, safeAddress, { to: team.stranger.address, amount: '0.5' })
    expect(await faultsOf(page)).toEqual([])
    owner.watch.assertNone()
  })

  test('behavior: verdicts are read out, in the queue as a count, and buttons that copy say nothing until then', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    await comeBack(owner)
    const { page, url, chainId } = owner
    const script = await signInByScript(url, demoOwners[0].privateKey, chainId)
    const { safeAddress, malicious } = await readDemoQueue(script)
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'queue')}`)
    await page.getByRole('status').filter({ hasText: 'Do not sign: 1 transaction' }).first().waitFor()
    await page.goto(`${url}${transactionPath(chainId, safeAddress, malicious)}`)
    await page.getByRole('alert').filter({ hasText: 'Do not sign' }).first().waitFor()
    const copy = page.getByRole('button', { name: 'Copy address' }).first()
    await copy.waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'Copy' }).count()).toBe(0)
    await copy.click()
    await copy.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
  })
})
