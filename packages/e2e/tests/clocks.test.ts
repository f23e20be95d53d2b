import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Owner, sessionStatus, signOut, verify } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialogButton } from '../src/wallets/dialog.ts'

const YEAR = 365 * 24 * 60 * 60_000

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

describe('a clock of the browser that is wrong', () => {
  test('behavior: 5 years fast: one message, one signature, signed in, also after a reload', async () => {
    const anna = await withClockOff(5 * YEAR)
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
    await sessionStatus(anna.page, 'unauthenticated').waitFor({ state: 'attached' })
    await anna.page.reload()
    await sessionStatus(anna.page, 'unauthenticated').waitFor({ state: 'attached' })
  })
})

describe('a server that never answers who is signed in', () => {
  test('behavior: loading ends with an error, and Retry finds the session', async () => {
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
    // The page waits 20 seconds; here they are shorter.
    await page.addInitScript(() => {
      const { timeout } = AbortSignal
      AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, milliseconds / 4)
    })
    await page.reload()
    await sessionStatus(page, 'loading').waitFor({ state: 'attached' })
    await page.getByText('The Countersign server cannot be reached').first().waitFor()
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
