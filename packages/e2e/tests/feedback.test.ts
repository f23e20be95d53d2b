import { call, confirmTransaction } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, confirmButton, openTransaction, sectionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('what others do', () => {
  test('behavior: it is said on every other page, with the way there, and not to whoever did it', async () => {
    const safe = await scene.newSafe()
    const [anna, bruno] = await Promise.all([scene.owner(team.anna.privateKey), scene.owner(team.bruno.privateKey)])
    await Promise.all([comeBack(anna), comeBack(bruno)])
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const other = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
    await addSafeByScript(script, safe.safeAddress)
    // The code that says it comes to the page when all has happened.
    let bring = () => {}
    const isBrought = new Promise<void>((resolve) => {
      bring = resolve
    })
    await anna.page.route('**/assets/*.js', async (route) => {
      const file = await route.fetch()
      if ((await file.text()).includes('data-toast')) await isBrought
      await route.fulfill({ response: file })
    })
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, safe.safeAddress, 'assets')}`)
    await anna.page.locator('[data-live-status="live"]').waitFor()
    const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })
    await confirmByScript(other, safe, safeTxHash)
    await anna.page.waitForTimeout(1_000)
    bring()
    const toast = anna.page.locator(`[data-toast="${safeTxHash}"]`)
    await toast.getByText(/confirmed: Call/).waitFor()
    await toast.getByRole('link', { name: 'Open the transaction' }).click()
    await anna.page.waitForURL(`**/transactions/${safeTxHash}`)
    await toast.waitFor({ state: 'detached' })
  })

  test('behavior: owners hear of a signature that did not verify, wherever they are, and find it with one press', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    const [script, bruno] = await Promise.all(
      [team.anna, team.bruno].map(({ privateKey }) => signInByScript(scene.product.url, privateKey, scene.chainId)),
    )
    if (!script || !bruno) throw new Error('nobody signed in')
    await addSafeByScript(script, safe.safeAddress)
    const shown = await proposeByScript(bruno, safe, { to: team.stranger.address, nonce: 0n })
    const hidden = await proposeByScript(bruno, safe, { to: team.stranger.address, nonce: 1n })
    if (!hidden.safeTx) throw new Error('its fields are not known')
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, safe.safeAddress, 'assets')}`)
    await anna.page.locator('[data-live-status="live"]').waitFor()
    const signature = await signSafeTx(bruno.account, safe, hidden.safeTx)
    const { chainId } = scene
    const refused = call(bruno.options, confirmTransaction, { chainId, safeTxHash: shown.safeTxHash, signature })
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^SIGNATURE_/) })
    const toast = anna.page.locator('[data-toast^="alarm-"]')
    await toast.getByText('A signature was made for another transaction').waitFor()
    await toast.getByRole('link', { name: 'See the alarm' }).click()
    await anna.page.locator('[data-alarm]').waitFor()
  })

  test('behavior: after confirming, the next transaction that waits is one press away', async () => {
    const safe = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(script, safe.safeAddress)
    const first = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })
    const second = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 1n })
    const third = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 2n })
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, second.safeTxHash)
    await confirmButton(bruno.page).click()
    const next = bruno.page.locator(`[data-next="${first.safeTxHash}"]`)
    await next.getByText('2 more transactions wait for your review:').waitFor()
    await next.getByRole('link', { name: 'Review the next one' }).click()
    await bruno.page.waitForURL(`**/transactions/${first.safeTxHash}`)
    expect(third.safeTxHash).not.toBe(first.safeTxHash)
  })
})

describe('a server that does not answer', () => {
  test('behavior: it is said once, with one button, and goes away by itself', async () => {
    const safe = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(script, safe.safeAddress)
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/response: 503|ERR_FAILED|console:/)
    await comeBack(anna)
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, safe.safeAddress, 'queue')}`)
    await anna.page.locator('[data-live-status="live"]').waitFor()
    await anna.page.route('**/api/chains/**', (route) => route.abort())
    for (const section of ['history', 'assets'] as const) {
      await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, safe.safeAddress, section)}`)
      await anna.page.locator('[data-banner] [data-tone="danger"]').waitFor()
      expect(await anna.page.getByText('SERVER_UNREACHABLE').count(), section).toBe(1)
      expect(await anna.page.getByRole('button', { name: 'Retry' }).count(), section).toBe(1)
    }
    await anna.page.unrouteAll({ behavior: 'wait' })
    await anna.page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => anna.page.locator('[data-banner] [data-tone]').count()).toBe(0)
    await expect.poll(() => anna.page.locator('[data-not-loaded]').count()).toBe(0)
  })
})
