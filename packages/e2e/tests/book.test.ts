import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addSafe, comeBack, fillProposal, names, type Owner } from '../src/people/owner.ts'
import { giveAbiByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let bruno: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  ;[anna, bruno] = await Promise.all([scene.owner(team.anna.privateKey), scene.owner(team.bruno.privateKey)])
  await comeBack(anna)
  await comeBack(bruno)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(() => {
  anna?.watch.assertNone()
  bruno?.watch.assertNone()
})

const to = team.stranger.address
const open = (owner: Owner, screen: string) =>
  owner.page.goto(`${owner.url}/safes/${owner.chainId}/${safe.safeAddress}/${screen}`)

describe('the address book', () => {
  test('behavior: a name is seen by the other owner at once, and stands quoted in the review', async () => {
    await open(bruno, 'book')
    await bruno.page.getByText('No names yet').waitFor()
    await open(anna, 'book')
    await anna.page.getByLabel('Address', { exact: true }).fill(to)
    await anna.page.getByLabel('Name', { exact: true }).fill('Payroll')
    await anna.page.getByRole('button', { name: 'Save name' }).click()
    await anna.page.locator(`[data-named="${to}"]`).waitFor()
    await bruno.page.locator(`[data-named="${to}"]`).waitFor()
    expect(await bruno.page.locator(`[data-named="${to}"]`).textContent()).toContain('Payroll')

    await fillProposal(bruno, safe.safeAddress, { to, amount: '0.5' })
    await bruno.page.getByRole('button', { name: names.review, exact: true }).click()
    await bruno.page.locator('[data-verdict]').waitFor()
    await bruno.page.getByText('“Payroll” (named by owner 1)').filter({ visible: true }).first().waitFor()
    // It is a name of the other owner's: to this one the account stays new.
    await bruno.page.locator('[data-finding="ADDR-NEW"]').first().waitFor({ state: 'attached' })
  })
})

describe('the activity log', () => {
  test('behavior: says who did what, and that the hashes fit together', async () => {
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const abi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])
    await giveAbiByScript(script, safe, { contract: team.relayer.address, name: 'Poker', abi })
    await open(bruno, 'activity')
    await bruno.page.locator('[data-verb="gave-abi"]').waitFor()
    expect(
      await bruno.page.locator('[data-verb]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-verb'))),
    ).toEqual(['gave-abi', 'named-address', 'added-safe'])
    await bruno.page.getByText('The 3 entries on this page match their hashes.').waitFor()
    // In words, each value in its own form, and who it was by the name that the screen knows.
    const given = bruno.page.locator('[data-verb="gave-abi"]')
    await given.getByText('Owner 1', { exact: true }).waitFor()
    expect(await given.locator('dt').allTextContents()).toEqual(['Name', 'Contract'])
    await given.locator('dd [data-address]').waitFor()
  })
})
