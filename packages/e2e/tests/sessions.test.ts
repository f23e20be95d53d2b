import { call, revokeOtherSessions } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sessionStatus, signIn } from '../src/people/owner.ts'
import { signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('the sessions of an account', () => {
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
