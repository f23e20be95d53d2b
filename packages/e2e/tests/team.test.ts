import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, safePath, sectionPath } from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { openDialog } from '../src/wallets/dialog.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let guest: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await scene.owner(team.anna.privateKey)
  guest = await scene.owner(team.stranger.privateKey)
  for (const person of [anna, guest]) await comeBack(person)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(() => {
  for (const person of [anna, guest]) person?.watch.assertNone()
})

const teamPath = () => `${safePath(scene.chainId, safe.safeAddress)}/team`
const open = (owner: Owner, path = teamPath()) => owner.page.goto(`${owner.url}${path}`)
const person = ({ page }: Owner, account: string) => page.locator(`[data-person="${account}" i]`)
describe('the team', () => {
  test('behavior: a viewer finds the Safe, looks, can do nothing, and leaves', async () => {
    guest.watch.expect(/response: 404 .*\/safes\//)
    await open(guest)
    await guest.page.getByText('Only the team can see its proposers and viewers').waitFor()
    await guest.page.goto(guest.url)
    await guest.page.getByText('No Safes yet').waitFor()
    await open(anna)
    await anna.page.getByLabel('Viewer address').fill(team.stranger.address)
    await anna.page.getByLabel('Viewer name').fill('Auditor')
    await anna.page.getByRole('button', { name: 'Invite viewer' }).click()
    await anna.page.getByText('Auditor can now see this Safe in My Safes.').waitFor()
    // Without reloading.
    await guest.page.getByText('Viewer', { exact: true }).waitFor()
    await open(guest)
    await person(guest, team.stranger.address).getByText('Auditor').waitFor()
    expect(await guest.page.locator('form').count()).toBe(0)
    expect(await faultsOf(guest.page)).toEqual([])
    const byAnna = await signInByScript(anna.url, team.anna.privateKey, scene.chainId)
    await proposeByScript(byAnna, safe, { to: team.relayer.address, value: 1n, nonce: 0n })
    await open(guest, sectionPath(scene.chainId, safe.safeAddress, 'queue'))
    await guest.page.locator('a[href*="/transactions/0x"]').first().waitFor()
    expect(await guest.page.getByRole('link', { name: 'New transaction' }).count()).toBe(0)

    await open(guest)
    const row = person(guest, team.stranger.address)
    await row.getByRole('button', { name: 'Leave' }).click()
    await row.getByRole('button', { name: 'Leave now' }).click()
    await guest.page.getByText('Only the team can see its proposers and viewers').waitFor()
    await anna.page.getByText('No viewers yet').waitFor()
  })
})

describe('API tokens', () => {
  test('behavior: made, shown once, used by a script, revoked', async () => {
    const { page, url } = anna
    await page.goto(url)
    await openDialog(page)
    await page.getByRole('link', { name: 'API tokens for scripts' }).click()
    await page.getByText('No API tokens yet').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Nightly report')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await page.locator('[data-shown-once]').textContent()) ?? ''
    expect(token).toMatch(/^csn_[\w-]{43}$/)
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.locator('[data-shown-once]').waitFor({ state: 'detached' })
    await page.getByText('Never', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(token)

    const ask = (path: string, method = 'GET') =>
      fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    expect(await (await ask('/api/safes')).text()).toContain(safe.safeAddress)
    expect((await ask('/api/tokens')).status).toBe(403)
    expect((await ask(`/tx-service/${scene.chainId}/api/v1/safes/${safe.safeAddress}/`)).status).toBe(200)
    await page.reload()
    const row = page.locator('[data-token]')
    await row.getByText(/from (127\.0\.0\.1|::1)/).waitFor()
    await row.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await row.getByRole('button', { name: 'Revoke now' }).click()
    await page.getByText('No API tokens yet').waitFor()
    expect((await ask('/api/safes')).status).toBe(401)
  })
})
