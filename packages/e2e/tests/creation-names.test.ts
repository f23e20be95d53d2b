import { encodeCreateProxy, newSafeReleases, predictSafeAddress } from '@countersign/safe'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, type Owner, safePath, sectionPath, tickAll } from '../src/people/owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const chainId = 31337
/** The server refuses a name that reverses what follows it. */
const reversed = 'Bru\u202eno'
const people = [team.anna.address, team.bruno.address, team.relayer.address] as const
let scene: Scene
let salt = BigInt(Date.now())

beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const unsaved = (page: Page, kind: 'refused' | 'offered') => page.locator(`[data-unsaved-names="${kind}"]`)
const listed = (page: Page, kind: 'refused' | 'offered') =>
  unsaved(page, kind)
    .getByRole('listitem')
    .locator('[data-address]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-address')))

/** Fills in a Safe of three owners, the second and third with names. */
async function fillForm({ page, url }: Owner, nameOfBruno: string) {
  salt += 1n
  await page.goto(`${url}/create`)
  await fill(page, 'Name of the Safe', 'Studio treasury')
  await fill(page, 'Address of owner 2', team.bruno.address)
  await fill(page, 'Name of owner 2', nameOfBruno)
  await press(page, 'Add an owner')
  await fill(page, 'Address of owner 3', team.relayer.address)
  await fill(page, 'Name of owner 3', 'Carla')
  await page.getByText('Release and salt', { exact: true }).click()
  await fill(page, 'Salt', String(salt))
  const [release] = newSafeReleases()
  if (!release) throw new Error('No release.')
  const { version, place } = release
  const newSafe = { version, place, isL2: true, owners: people, threshold: 2, saltNonce: salt }
  return { safeAddress: predictSafeAddress(newSafe), creation: encodeCreateProxy(newSafe) }
}

async function namesInBook({ page, url }: Owner, safeAddress: `0x${string}`) {
  await page.goto(`${url}${sectionPath(chainId, safeAddress, 'book')}`)
  await page.locator('[data-named]').first().waitFor()
  return page.locator('[data-named]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-named')).sort())
}

describe('names of a new Safe', () => {
  test('behavior: a refused one stops no other, is listed with its reason, and outlives a reload', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, url } = anna
    anna.watch.expect(/400 .*INVALID_REQUEST|ERR_FAILED/)
    await comeBack(anna, '/')
    const { safeAddress } = await fillForm(anna, reversed)
    await press(page, 'Review')
    await tickAll(page)
    // The name of the third owner does not arrive the first time.
    await page.route('**/names', (route) =>
      (route.request().postData() ?? '').includes('Carla') ? route.abort() : route.fallback(),
    )
    await press(page, 'Create the Safe')
    await unsaved(page, 'refused').waitFor()
    expect(await listed(page, 'refused')).toEqual([team.bruno.address, team.relayer.address])
    const reasons = await unsaved(page, 'refused').getByRole('listitem').allTextContents()
    expect(reasons[0]).toMatch(/These fields are not valid: “name”\.$/)
    expect(reasons[1]).toMatch(/The Countersign server cannot be reached$/)
    expect(await faultsOf(page)).toEqual([])

    await page.unroute('**/names')
    await press(page, 'Retry')
    await expect.poll(() => listed(page, 'refused')).toEqual([team.bruno.address])
    await page.reload()
    await expect.poll(() => listed(page, 'refused')).toEqual([team.bruno.address])
    await press(page, 'Discard the names')
    await page.getByRole('link', { name: 'Open the Safe' }).waitFor()
    expect(await unsaved(page, 'refused').count()).toBe(0)
    expect(await namesInBook(anna, safeAddress)).toEqual([safeAddress, team.relayer.address].sort())
    await page.goto(`${url}/create`)
    await expect.poll(() => page.getByLabel('Name of the Safe', { exact: true }).inputValue()).toBe('')
  })

  test('behavior: those of a Safe that another account created are offered, and written on request', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna, '/')
    const { safeAddress, creation } = await fillForm(anna, 'Bruno')
    await sendAs(team.stranger.privateKey, scene.rpcUrl, creation)
    await press(page, 'Review')
    await unsaved(page, 'offered').waitFor()
    expect(await listed(page, 'offered')).toEqual([safeAddress, team.bruno.address, team.relayer.address])
    expect(await faultsOf(page)).toEqual([])
    await page.reload()
    await unsaved(page, 'offered').waitFor()
    await press(page, 'Add Safe and names')
    await unsaved(page, 'offered').waitFor({ state: 'detached' })
    // Names that are changed afterwards are offered again.
    await press(page, 'Change')
    await fill(page, 'Name of owner 2', 'Bruno Rossi')
    await press(page, 'Review')
    await unsaved(page, 'offered').waitFor()
    await press(page, 'Add Safe and names')
    await unsaved(page, 'offered').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Open the Safe' }).click()
    await page.getByText('Studio treasury').first().waitFor()
    expect(await namesInBook(anna, safeAddress)).toEqual([safeAddress, team.bruno.address, team.relayer.address].sort())
  })

  test('behavior: a refused one of a Safe that is activated later is listed before the Safe opens', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, url } = anna
    anna.watch.expect(/400 .*INVALID_REQUEST/)
    await comeBack(anna, '/')
    const { safeAddress } = await fillForm(anna, reversed)
    await press(page, 'Review')
    await tickAll(page)
    await press(page, 'Activate later')
    await unsaved(page, 'refused').waitFor()
    expect(await listed(page, 'refused')).toEqual([team.bruno.address])
    expect(await page.getByRole('button', { name: 'Activate later', exact: true }).count()).toBe(0)
    await press(page, 'Discard the names')
    await page.waitForURL(`${url}${safePath(chainId, safeAddress)}`)
    expect(await namesInBook(anna, safeAddress)).toEqual([safeAddress, team.relayer.address].sort())
    await page.goto(`${url}/create`)
    await expect.poll(() => page.getByLabel('Name of the Safe', { exact: true }).inputValue()).toBe('')
  })
})
