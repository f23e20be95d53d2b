import { createApiToken, listApiTokens, prepareSignIn } from '@countersign/contract'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noteServerTime } from '../../device/server-time.ts'
import { expectStatus, type FakeBrowser, fill, pressButton, startBrowser, team } from '../../test/open-page.ts'
import { connect, expectNotice, pressDialog, verify } from '../../test/wallet-dialog.ts'

const MINUTE = 60_000
const YEAR = 365 * 24 * 60 * MINUTE
const SIGN = 'Sign the message'

const TrueDate = Date
/** Offset of the browser's clock from that of the server. */
let offset = 0
let browser: FakeBrowser

beforeEach(() => {
  browser = startBrowser()
  const trueTime = () => new Headers({ date: new TrueDate().toUTCString() })
  // The server's own clock is right, and its answers tell the time.
  noteServerTime({ headers: trueTime() })
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const answer = await browser.server.fetch(...asked)
    for (const [name, value] of trueTime()) answer.headers.set(name, value)
    return answer
  })
  // Time passes as ever: only what the clock says is off.
  const now = () => TrueDate.now() + offset
  vi.stubGlobal(
    'Date',
    new Proxy(TrueDate, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    }),
  )
})
afterEach(() => {
  offset = 0
  browser.close()
})

const signatures = ({ requests }: { requests: { method: string }[] }) =>
  requests.filter(({ method }) => method === 'personal_sign')

describe('a clock of the browser that is wrong', () => {
  test.each([
    ['10 minutes fast', 10 * MINUTE],
    ['10 minutes slow', -10 * MINUTE],
    ['5 years fast', 5 * YEAR],
    ['30 years slow', -30 * YEAR],
  ])('behavior: %s: one message, one signature, signed in, also after a reload', async (_, off) => {
    offset = off
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    await verify()
    expect(browser.server.asked(prepareSignIn)).toHaveLength(1)
    expect(signatures(wallet)).toHaveLength(1)
    await browser.open()
    await expectStatus({ session: 'authenticated' })
    expect(browser.server.asked(prepareSignIn)).toHaveLength(1)
  })

  test('behavior: it jumps while the message is shown, and while the wallet is asked: nothing is asked for again', async () => {
    const wallet = browser.install(team.anna.privateKey)
    await browser.open()
    await connect()
    offset = YEAR
    wallet.behave('sign', 'reject')
    await pressDialog(SIGN)
    await expectNotice('Request rejected')
    wallet.behave('sign', 'hold')
    await pressDialog(SIGN)
    await waitFor(() => expect(signatures(wallet)).toHaveLength(2))
    offset = -YEAR
    wallet.release()
    await expectStatus({ session: 'authenticated' })
    expect(browser.server.asked(prepareSignIn)).toHaveLength(1)
  })

  test('behavior: an API token ends when it was chosen to, by the clock of the server', async () => {
    offset = YEAR
    await browser.comeBack()
    browser.server.answer(listApiTokens, { tokens: [] })
    browser.server.fail(createApiToken, 'INTERNAL', {}, 500)
    await browser.open('/tokens')
    await fill('Name', 'Reports')
    await pressButton('Create token')
    await waitFor(() => expect(browser.server.asked(createApiToken)).toHaveLength(1))
    const [asked] = browser.server.asked(createApiToken)
    expect(Math.abs(TrueDate.parse(asked?.expiresAt ?? '') - TrueDate.now())).toBeLessThan(366 * 24 * 60 * MINUTE)
  })
})
