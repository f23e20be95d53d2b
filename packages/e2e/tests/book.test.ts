import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addSafe, comeBack, fillProposal, names, type Owner } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
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

const isInSight = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

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

  test('behavior: its link to the import of names opens the import in the settings', async () => {
    const { page } = anna
    await open(anna, 'book')
    await page.getByRole('link', { name: 'Import names from a Safe Wallet export or a CSV' }).click()
    await page.locator('[data-bring-names]').getByLabel('Safe Wallet data export, or its address book as CSV').waitFor()
    await expect.poll(() => page.locator('#import-names').evaluate(isInSight)).toBe(true)
  })

  test('behavior: a name that looks like another is marked, one that hides or is endless is refused', async () => {
    const { page } = anna
    const other = team.relayer.address
    await open(anna, 'book')
    const save = async (name: string) => {
      await page.getByLabel('Address', { exact: true }).fill(other)
      // A browser lets nobody type more than the field takes; a script does.
      await page.getByLabel('Name', { exact: true }).evaluate((field) => field.removeAttribute('maxlength'))
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('button', { name: 'Save name' }).click()
    }
    anna.watch.expect(/400 .*INVALID_REQUEST/)
    for (const odd of ['Pay\u202eroll', 'Pay\u200broll', 'x'.repeat(10_000)]) {
      await save(odd)
      await page.getByRole('main').getByRole('alert').waitFor()
      await page.reload()
    }
    expect(await page.locator(`[data-named="${other}"]`).count()).toBe(0)
    await save('P\u0430yroll')
    for (const named of [to, other]) await page.locator(`[data-named="${named}"] [data-confused]`).waitFor()

    await fillProposal(bruno, safe.safeAddress, { to, amount: '0.5' })
    await bruno.page.getByRole('button', { name: names.review, exact: true }).click()
    await bruno.page.locator('[data-confused]').first().waitFor()
    await open(anna, 'book')
    await page.getByRole('button', { name: 'Remove P\u0430yroll' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.locator(`[data-named="${other}"]`).waitFor({ state: 'detached' })
    expect(await page.locator('[data-confused]').count()).toBe(0)
  })

  test('behavior: an ABI that cannot be read is refused, one that can names its functions', async () => {
    await open(anna, 'book')
    await anna.page.getByLabel('Contract', { exact: true }).fill(team.relayer.address)
    await anna.page.getByLabel('Contract name').fill('Poker')
    await anna.page.getByLabel('ABI (JSON)').fill('{}')
    // The wallet is not asked, nor the server.
    await anna.page.getByRole('button', { name: 'Save ABI' }).click()
    await anna.page.getByRole('alert').filter({ hasText: 'The ABI cannot be read' }).waitFor()
    const abi = [{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }]
    await anna.page.getByLabel('ABI (JSON)').fill(JSON.stringify(abi))
    await anna.page.getByRole('button', { name: 'Save ABI' }).click()
    await anna.page.getByText('1 function', { exact: true }).click()
    await anna.page.getByText('poke(uint256 id)').waitFor()
  })

  test('behavior: removed by the other owner, after a second word', async () => {
    await open(bruno, 'book')
    await bruno.page.getByRole('button', { name: 'Remove Payroll' }).click()
    await bruno.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await bruno.page.getByText('No names yet').waitFor()
  })
})

describe('the activity log', () => {
  test('behavior: says who did what, and that the hashes fit together', async () => {
    await open(bruno, 'activity')
    await bruno.page.locator('[data-verb="removed-name"]').first().waitFor()
    expect(
      await bruno.page.locator('[data-verb]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-verb'))),
    ).toEqual(['removed-name', 'gave-abi', 'removed-name', 'named-address', 'named-address', 'added-safe'])
    await bruno.page.getByText('The 6 entries on this page match their hashes.').waitFor()
    // In words, each value in its own form, and who it was by the name that the screen knows.
    const given = bruno.page.locator('[data-verb="gave-abi"]')
    await given.getByText('Owner 1', { exact: true }).waitFor()
    expect(await given.locator('dt').allTextContents()).toEqual(['Name', 'Contract'])
    await given.locator('dd [data-address]').waitFor()
  })

  test('behavior: without a network the page says so, once, and no longer when it is back', async () => {
    bruno.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|failed/)
    await open(bruno, 'activity')
    await bruno.page.locator('[data-verb]').first().waitFor()
    await bruno.context.setOffline(true)
    await bruno.page.getByText('You are offline', { exact: true }).waitFor()
    expect(await bruno.page.getByText('You are offline', { exact: true }).count()).toBe(1)
    await bruno.context.setOffline(false)
    await bruno.page.locator('[data-offline]').waitFor({ state: 'detached' })
  })
})
