import { call, listSessions, revokeOtherSessions } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sessionStatus, signIn } from '../src/people/owner.ts'
import { signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog, dialogButton, openDialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('the sessions of an account', () => {
  test('behavior: listed with device, place and times; one is ended, and what it was hears of it', async () => {
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const anna = await scene.owner(team.anna.privateKey)
    await signIn(anna)
    await openDialog(anna.page)
    const rows = dialog(anna.page).locator('[data-sessions] li')
    await expect.poll(() => rows.count()).toBe(2)
    const own = rows.filter({ hasText: 'This browser' })
    expect(await own.textContent()).toMatch(/Chrome on \w+.*From (127\.0\.0\.1|::1)/)
    expect(await own.locator('time').count()).toBe(2)
    expect(await own.getByRole('button').count()).toBe(0)
    await dialogButton(anna.page, 'End the session of Node.js').press('Enter')
    await dialog(anna.page).getByText('1 session has ended.').waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await anna.page.evaluate(() => document.activeElement?.textContent)).toBe('Where you are signed in')
    await expect(call(script.options, listSessions, {})).rejects.toMatchObject({ code: 'SESSION_REVOKED' })
    await sessionStatus(anna.page, 'authenticated').waitFor({ state: 'attached' })
  })

  test('behavior: ended from elsewhere, the open page says so by itself', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/response: 401|events/)
    await signIn(anna)
    await anna.page.getByText('Live', { exact: true }).first().waitFor()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    expect((await call(script.options, revokeOtherSessions, {})).ended).toBeGreaterThan(0)
    await sessionStatus(anna.page, 'unauthenticated').waitFor({ state: 'attached' })
    await dialog(anna.page).getByText('Your session was ended').first().waitFor()
    await dialog(anna.page)
      .getByText(/^Another session of this account ended it on \d/)
      .first()
      .waitFor()
    expect(await anna.page.getByText('expired').count()).toBe(0)
  })
})
