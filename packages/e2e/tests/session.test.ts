import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafeInPage,
  confirmButton,
  connectionStatus,
  fillProposal,
  names,
  openTransaction,
  safeTxHashOf,
  sendProposal,
  sessionStatus,
  signIn,
  statusText,
  verify,
  walletEntry,
} from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('a session that ends or no longer fits', () => {
  test('behavior: the wallet is locked: the session stays, and what needs the wallet asks for it', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    await addSafeByScript(anna, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(anna, safe, { to: team.stranger.address, nonce: 0n })
    const bruno = await scene.owner(team.bruno.privateKey)
    await signIn(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    const confirm = confirmButton(bruno.page)
    await expect.poll(() => confirm.isEnabled()).toBe(true)
    await bruno.wallet.lock()
    await statusText(
      bruno.page,
      /You are signed in, but no wallet is connected\. Connect the one that holds 0x/,
    ).waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await sessionStatus(bruno.page, 'authenticated').waitFor({ state: 'attached' })
    await bruno.page.getByRole('banner').getByRole('button').click()
    await walletEntry(bruno.page, bruno.wallet.name).click()
    await connectionStatus(bruno.page, 'connected').waitFor({ state: 'attached' })
    await bruno.page.keyboard.press('Escape')
    await expect.poll(() => confirm.isEnabled()).toBe(true)
    expect(bruno.wallet.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  })

  test('behavior: expired in the middle of a proposal, the draft is kept', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/response: 401/)
    await signIn(anna)
    await addSafeInPage(anna, safe.safeAddress)
    await fillProposal(anna, safe.safeAddress, { to: team.stranger.address, amount: '0.25' })
    const { propose, review } = names
    await anna.page.getByRole('button', { name: review, exact: true }).click()
    const send = anna.page.getByRole('button', { name: propose, exact: true })
    await expect.poll(() => send.isEnabled()).toBe(true)
    // An expiry looks like this to the browser: the cookie means nothing any more. Nothing is asked for in between, by
    // which the page would hear of it before the click.
    let goOn = () => {}
    const hasExpired = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await anna.page.route('**/api/**', async (route) => {
      await hasExpired
      await route.fallback()
    })
    await send.click()
    await anna.context.clearCookies()
    goOn()
    await anna.page.getByText('You are signed out').first().waitFor()
    // It opens by itself.
    await anna.page.getByRole('dialog').first().waitFor()
    await verify(anna)
    await anna.page.getByRole('button', { name: names.change, exact: true }).click()
    expect(await anna.page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('0.25')
    expect(await anna.page.getByLabel(names.recipient, { exact: true }).inputValue()).toBe(team.stranger.address)
    await sendProposal(anna)
    await safeTxHashOf(anna.page)
  })
})
