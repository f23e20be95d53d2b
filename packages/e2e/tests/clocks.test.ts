import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Owner, sessionStatus, signOut, verify } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialogButton, expectNotice, signButton } from '../src/wallets/dialog.ts'

const MINUTE = 60_000
const YEAR = 365 * 24 * 60 * MINUTE

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

declare global {
  interface Window {
    clockOffset: number
  }
}

/** Somebody whose computer's clock is wrong. Time passes as ever: only what the clock says is off. */
async function withClockOff(milliseconds: number): Promise<Owner & { countMessages: () => number }> {
  const anna = await scene.owner(team.anna.privateKey)
  await anna.context.addInitScript((offset) => {
    window.clockOffset = offset
    const RealDate = Date
    const now = () => RealDate.now() + window.clockOffset
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, milliseconds)
  let messages = 0
  anna.page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/session/message') messages += 1
  })
  return { ...anna, countMessages: () => messages }
}

const jump = (page: Page, milliseconds: number) =>
  page.evaluate((offset) => {
    window.clockOffset = offset
  }, milliseconds)

describe('a clock of the browser that is wrong', () => {
  test.each([
    ['10 minutes fast', 10 * MINUTE],
    ['10 minutes slow', -10 * MINUTE],
    ['5 years fast', 5 * YEAR],
    ['30 years slow', -30 * YEAR],
  ])('behavior: %s: one message, one signature, signed in, also after a reload', async (_, offset) => {
    const anna = await withClockOff(offset)
    await anna.page.goto(anna.url)
    await connect(anna)
    await verify(anna)
    expect(anna.countMessages()).toBe(1)
    expect(anna.wallet.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
    await anna.page.reload()
    await sessionStatus(anna.page, 'authenticated').waitFor({ state: 'attached' })
    // Reading that is under way ends with the session.
    anna.watch.expect(/^response: 401 \S+\/rpc( NOT_SIGNED_IN)?$/)
    await signOut(anna.page)
  })

  test('behavior: it jumps while the message is shown, and while the wallet is asked: nothing is asked for again', async () => {
    const anna = await withClockOff(0)
    const { page, wallet } = anna
    await page.goto(anna.url)
    await connect(anna)
    await signButton(page).waitFor()
    await jump(page, YEAR)
    wallet.behave('sign', 'reject')
    await signButton(page).click()
    await expectNotice(page, 'Request rejected')
    wallet.behave('sign', 'hold')
    await signButton(page).click()
    await jump(page, -YEAR)
    wallet.release()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    expect(anna.countMessages()).toBe(1)
  })

  test('behavior: an API token ends when it was chosen to, by the clock of the server', async () => {
    const anna = await withClockOff(YEAR)
    await anna.page.goto(`${anna.url}/tokens`)
    await connect(anna)
    await verify(anna)
    const sent = anna.page.waitForRequest(
      (request) => request.method() === 'POST' && /\/api\/tokens$/.test(request.url()),
    )
    await anna.page.getByLabel('Name', { exact: true }).fill('Reports')
    await anna.page.getByRole('button', { name: 'Create token', exact: true }).click()
    const { expiresAt }: { expiresAt: string } = (await sent).postDataJSON()
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(366 * 24 * 60 * MINUTE)
    expect(await anna.page.locator('[data-token]').getByText('Expired').count()).toBe(0)
  })
})

describe('a server that never answers who is signed in', () => {
  test('behavior: loading ends: it is said, and Retry finds the session', { timeout: 180_000 }, async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    anna.watch.expect(/ERR_ABORTED|ERR_FAILED/)
    await page.goto(anna.url)
    await connect(anna)
    await verify(anna)
    let asked = 0
    const silent = '**/api/session'
    await page.route(silent, () => {
      asked += 1
    })
    await page.reload()
    await sessionStatus(page, 'loading').waitFor({ state: 'attached' })
    await page.getByText('The Countersign server cannot be reached').first().waitFor({ timeout: 60_000 })
    expect(await page.locator('html').getAttribute('data-session-status')).toBe('unauthenticated')
    await page.getByText('No answer within 20 seconds.').first().waitFor()
    expect(asked).toBe(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: 'My Safes' }).waitFor()
    expect(await dialogButton(page, 'Retry').count()).toBe(0)
  })
})
