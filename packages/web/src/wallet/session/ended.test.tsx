import { addDelegate, type ErrorCode, listActivity } from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  expectStatus,
  type FakeBrowser,
  fill,
  findPart,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { answerSafes, safePath } from '../../test/safe.ts'
import { expectNotice, verify } from '../../test/wallet-dialog.ts'

const endedAt = '2026-03-01T12:00:00.000Z'

let browser: FakeBrowser
beforeEach(async () => {
  browser = startBrowser()
  answerSafes(browser.server)
  await browser.comeBack()
})
afterEach(() => browser.close())

/** Ends the session on the server: what the page asks for next answers with the error. */
function endWith(code: ErrorCode, data: Record<string, unknown> = {}): void {
  browser.server.session = null
  for (const endpoint of [listActivity, addDelegate]) browser.server.fail(endpoint, code, data, 401)
}

async function goToActivity(): Promise<void> {
  const ways = within(await findPart('[data-head] nav[aria-label="This Safe"]'))
  press(await ways.findByRole('link', { name: /^Activity/ }))
}

describe('a session that ends under an open page', () => {
  test.each([
    ['SESSION_EXPIRED', 'expired', 'Your session has expired', /^It ended on 1 Mar 2026/],
    ['SESSION_REVOKED', 'revoked', 'Your session was ended', /^Another session of this account ended it on 1 Mar/],
    ['SESSION_REVOKED', 'revoked-by-owner', 'An owner ended this session', /^An owner of this Safe ended it on 1 Mar/],
    ['OWNERS_CHANGED', 'owners-changed', 'The owners of this Safe have changed', /changed on 1 Mar 2026/],
    ['OWNERS_CHANGED', 'suspended', 'This session is suspended', /^Since 1 Mar 2026.* the owners on the chain differ/],
    [
      'SESSION_REVOKED',
      'not-allowed',
      'This account may not use this server any more',
      /not let this account in since 1 Mar/,
    ],
  ] as const)('error: %s, %s: the dialog says how it ended, and when', async (code, reason, title, sentence) => {
    await browser.open(safePath('/team'))
    endWith(code, { reason, endedAt, address: team.anna.address })
    await goToActivity()
    await expectStatus({ session: 'unauthenticated' })
    expect((await expectNotice(title)).textContent).toMatch(new RegExp(sentence.source.replace('^', '')))
  })

  test('error: without a word on how it ended, it is signed out', async () => {
    await browser.open(safePath('/team'))
    endWith('NOT_SIGNED_IN')
    await goToActivity()
    await expectNotice('You are signed out')
  })

  test('behavior: what was typed stays while the account is verified again', async () => {
    await browser.open(safePath('/team'))
    await fill('Proposer address', team.stranger.address)
    await fill('Proposer name', 'Payroll')
    endWith('SESSION_EXPIRED', { reason: 'expired', endedAt })
    await pressButton('Add proposer')
    await expectNotice('Your session has expired')
    browser.server.restore(addDelegate)
    await verify()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((screen.getByLabelText('Proposer name') as HTMLInputElement).value).toBe('Payroll')
  })
})

describe('the language of the reader', () => {
  test.each([
    ['de', 'Einstellungen'],
    ['es', 'Ajustes'],
    ['fr', 'Paramètres'],
    ['zh', '设置'],
  ])('behavior: %s is read where it was chosen, in the page and in its title', async (language, title) => {
    localStorage.setItem('countersign.locale', language)
    await browser.open('/account')
    await screen.findByRole('heading', { level: 1, name: title })
    await waitFor(() => expect(document.title).toBe(`${title} · Countersign`))
  })
})
