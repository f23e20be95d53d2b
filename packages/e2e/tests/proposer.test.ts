import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  addSafe,
  comeBack,
  confirmButton,
  fillProposal,
  names,
  type Owner,
  openEvidence,
  safePath,
  safeTxHashOf,
  statusText,
} from '../src/people/owner.ts'
import { readTransaction, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Words of the page's own part; what a proposer may not do is told there. */
const says = ({ page }: Owner, words: string | RegExp) => statusText(page, words).waitFor()

describe('a proposer, on screen', () => {
  test('default: named by an owner, proposes, the owner sees it live and confirms; the proposer confirms nothing', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    const payroll = await scene.owner(team.stranger.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    await comeBack(payroll, '/')
    const mySafe = payroll.page.locator(`[data-safe="${safe.safeAddress}"]`)
    await payroll.page.getByLabel(names.safeAddress).waitFor()
    expect(await mySafe.count()).toBe(0)

    await anna.page.goto(`${anna.url}${safePath(scene.chainId, safe.safeAddress)}/team`)
    await anna.page.getByLabel('Proposer address').fill(team.stranger.address)
    await anna.page.getByLabel('Proposer name').fill('Payroll')
    await anna.page.getByRole('button', { name: 'Add proposer' }).click()
    await says(anna, 'Payroll can now propose on your behalf.')

    // My Safes was open before: the Safe comes to it, and everything else by links.
    await mySafe.getByText('Proposer', { exact: true }).waitFor()
    await mySafe.getByRole('link').click()
    await says(payroll, 'You are a proposer of this Safe')
    await payroll.page.getByRole('link', { name: 'New transaction' }).first().click()
    await payroll.page.waitForURL(/\/new$/)

    await anna.page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await fillProposal(payroll, safe.safeAddress, { to: team.relayer.address, amount: '0.25' })
    await payroll.page.getByRole('button', { name: names.review, exact: true }).click()
    await says(payroll, 'This does not count as a confirmation')
    expect(await faultsOf(payroll.page)).toEqual([])
    await payroll.page.getByRole('button', { name: names.propose, exact: true }).click()
    const safeTxHash = await safeTxHashOf(payroll.page)
    await says(payroll, '0 of 2 confirmations')
    await says(payroll, 'Only owners can confirm')
    expect(await confirmButton(payroll.page).count()).toBe(0)
    expect(await faultsOf(payroll.page)).toEqual([])

    // Anna's overview was open before.
    const row = anna.page.locator(`a[href*="${safeTxHash}"]`).first()
    await row.waitFor()
    await says(anna, names.waitsForYou)
    await row.click()
    // It says who wrote it, and for whom.
    await anna.page.locator('[data-verdict]').waitFor()
    await anna.page.locator('[data-proposed-by]').getByText('Said to be proposed for').waitFor()
    await openEvidence(anna.page, 'Unverified claims')
    const written = anna.page.locator('[data-written-by]')
    await written.locator(`[data-address="${team.stranger.address}" i]`).waitFor()
    await written.getByText('Payroll').waitFor()
    await confirmButton(anna.page).click()
    for (const reader of [anna, payroll]) await says(reader, '1 of 2 confirmations')

    const script = await signInByScript(anna.url, team.anna.privateKey, scene.chainId)
    const { proposer, proposedByDelegate, confirmations } = await readTransaction(script, safeTxHash)
    expect({ proposer, proposedByDelegate }).toEqual({
      proposer: team.anna.address,
      proposedByDelegate: team.stranger.address,
    })
    expect(confirmations.map(({ owner }) => owner)).toEqual([team.anna.address])
  })
})
