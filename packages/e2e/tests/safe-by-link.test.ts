import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, confirmButton, names, safePath } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('signing in as a Safe by a link', () => {
  test('default: one owner signs by the link, one from the messages, beside the code; who waits counts along, and is signed in', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    await using visitor = await scene.visitor()
    const { page } = visitor
    await page.goto(visitor.url)
    await page.getByRole('button', { name: names.connect }).first().click()
    await dialog(page).locator('button[data-wallet="safe"]').click()
    await dialog(page).getByRole('button', { name: 'Sign in as a Safe' }).click()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    expect(await dialog(page).getByLabel('Address of the Safe').getAttribute('aria-invalid')).toBe('true')
    expect(await faultsOf(page)).toEqual([])
    await dialog(page).getByLabel('Address of the Safe').fill(safe.safeAddress)
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await dialog(page).getByRole('button', { name: 'Ask the owners to sign' }).click()
    const link = (await dialog(page).locator('[data-sign-in-link]').textContent()) ?? ''
    const code = await dialog(page).locator('[data-sign-in-code]').textContent()
    expect(code).toMatch(/^[0-9A-F]{6}$/)
    await dialog(page).getByText('No signature yet').waitFor()
    expect(await faultsOf(page)).toEqual([])

    await anna.page.goto(`${anna.url}${safePath(safe.chainId, safe.safeAddress)}/messages`)
    await anna.page.locator('[data-waiting-of="messages"][data-waiting="1"]').first().waitFor()
    await anna.page.getByRole('link', { name: `Review ${code}` }).click()
    await anna.page.getByRole('heading', { level: 1, name: 'Sign-in as this Safe' }).waitFor()
    // One more link in the same tab, of somebody who makes up a text: nothing of the first stays.
    await anna.page.evaluate((made) => location.assign(made), link.replace('costs%20nothing', 'costs%20little'))
    await anna.page.getByText('Do not sign this request').waitFor()
    expect(await anna.page.locator('[data-sign-in-code]').count()).toBe(0)
    await anna.page.goto(link)
    // The code stands beside the button that signs.
    await anna.page.getByRole('button', { name: names.propose, exact: true }).waitFor()
    expect(await anna.page.locator('[data-sign-in-code]').textContent()).toBe(code)
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.getByRole('button', { name: names.propose, exact: true }).click()
    await anna.page.locator('[data-message-page], [data-review]').first().waitFor()
    await dialog(page).getByText('1 of 2 signatures').waitFor()

    // The wait outlives a reload, and shows itself again.
    await page.reload()
    await dialog(page).getByText('1 of 2 signatures').waitFor()

    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno, `${safePath(safe.chainId, safe.safeAddress)}/messages`)
    await bruno.page.locator('[data-message] a').first().waitFor()
    expect(await bruno.page.locator('[data-sign-in-request]').count()).toBe(0)
    // By the link he comes to the message that it is by now.
    await bruno.page.goto(link)
    await bruno.page.locator('[data-message-page]').waitFor()
    expect(await bruno.page.locator('[data-sign-in-code]').textContent()).toBe(code)
    await confirmButton(bruno.page).click()

    await page
      .getByRole('button', { name: /^Account / })
      .first()
      .waitFor()
    await page.goto(`${visitor.url}${safePath(safe.chainId, safe.safeAddress)}/messages`)
    await page.locator('[data-message]').waitFor()
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}/messages`)
    await bruno.page.getByText('Fully confirmed').first().waitFor()
    await bruno.page.goto(link)
    await bruno.page.getByText('Nobody waits for this sign-in any more').waitFor()

    // One owner alone sees what acts as the Safe, and ends it.
    visitor.watch.expect(/SESSION_REVOKED|401 \/api\/events/)
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}/team`)
    const access = bruno.page.locator('[data-access]')
    await access.getByText('Signed by').waitFor()
    expect(await access.locator('[data-address]').count()).toBe(2)
    expect(await faultsOf(bruno.page)).toEqual([])
    await access.getByRole('button', { name: /^End / }).click()
    await access.getByRole('button', { name: 'End now' }).click()
    await bruno.page.getByText('No browser or script acts as this Safe').waitFor()
    await page.getByText('An owner ended this session').first().waitFor()
  })

  test('behavior: refuses an account that is not a contract; asks no owner after the sign-in was cancelled or refused', async () => {
    const safe = await scene.newSafe()
    await using visitor = await scene.visitor()
    const { page, watch } = visitor
    watch.expect(/NOT_A_CONTRACT_ACCOUNT/)
    await page.goto(visitor.url)
    const name = async (address: string) => {
      await page.getByRole('button', { name: names.connect }).first().click()
      await dialog(page).locator('button[data-wallet="safe"]').click()
      await dialog(page).getByRole('button', { name: 'Sign in as a Safe' }).click()
      await dialog(page).getByLabel('Address of the Safe').fill(address)
      await dialog(page).getByRole('button', { name: 'Continue' }).click()
    }
    await name(team.stranger.address)
    await dialog(page).getByText('Error preparing message, please retry!').waitFor()
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
    await page.keyboard.press('Escape')
    await name(safe.safeAddress)
    await dialog(page).getByRole('button', { name: 'Ask the owners to sign' }).click()
    await dialog(page).getByRole('button', { name: 'Stop waiting' }).click()
    await dialog(page).getByRole('button', { name: 'Ask the owners to sign' }).waitFor()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    await anna.page.goto(`${anna.url}${safePath(safe.chainId, safe.safeAddress)}/messages`)
    await anna.page.getByText('No messages yet').waitFor()
    expect(await anna.page.locator('[data-sign-in-request]').count()).toBe(0)
    await dialog(page).getByRole('button', { name: 'Ask the owners to sign' }).click()
    const code = (await dialog(page).locator('[data-sign-in-code]').textContent()) ?? ''
    await anna.page.reload()
    await anna.page.getByRole('button', { name: `Refuse ${code}` }).click()
    await anna.page.getByRole('button', { name: 'Refuse now' }).click()
    await anna.page.locator('[data-sign-in-request]').waitFor({ state: 'detached' })
    await dialog(page).getByText('An owner of the Safe refused').waitFor()
  })
})
