import { type ApiToken, createApiToken, listApiTokens, revokeApiToken } from '@countersign/contract'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeBrowser, fill, findPart, pressButton, startBrowser } from '../../test/open-page.ts'

let browser: FakeBrowser
let tokens: ApiToken[]
beforeEach(async () => {
  browser = startBrowser()
  tokens = []
  browser.server.answer(listApiTokens, () => ({ tokens }))
  await browser.comeBack()
})
afterEach(() => browser.close())

const token: ApiToken = {
  id: 'a'.repeat(24),
  name: 'Nightly report',
  scopes: ['read'],
  chainId: 31_337,
  createdAt: '2026-03-01T12:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
}
const secret = `csn_${'k'.repeat(43)}`

describe('API tokens', () => {
  test('behavior: made, shown once, and nowhere on the page afterwards', async () => {
    browser.server.answer(createApiToken, ({ name, scopes }) => {
      tokens = [{ ...token, name, scopes }]
      return { token: secret, apiToken: tokens[0] as ApiToken }
    })
    await browser.open('/tokens')
    await screen.findByText('No API tokens yet')
    await fill('Name', token.name)
    await pressButton('Create token')
    await waitFor(() => expect(document.querySelector('[data-shown-once]')?.textContent).toBe(secret))
    await pressButton('I have copied it')
    await screen.findByText('Nightly report')
    expect(document.querySelector('[data-shown-once]')).toBeNull()
    expect(document.body.innerHTML).not.toContain(secret)
  })

  test('behavior: without a name nothing is sent', async () => {
    await browser.open('/tokens')
    await screen.findByText('No API tokens yet')
    await pressButton('Create token')
    await waitFor(() => expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true'))
    expect(browser.server.asked(createApiToken)).toEqual([])
  })

  test('behavior: one that was never used says so, one that was used says from where', async () => {
    tokens = [
      token,
      { ...token, id: 'b'.repeat(24), name: 'Daily', lastUsedAt: token.createdAt, lastUsedFrom: '127.0.0.1' },
    ]
    await browser.open('/tokens')
    await screen.findByText('Never', { selector: 'dd' })
    await screen.findByText(/from 127\.0\.0\.1/)
  })

  test('behavior: one that has ended is marked, with when it ended', async () => {
    tokens = [{ ...token, expiresAt: '2026-03-02T12:00:00.000Z' }]
    await browser.open('/tokens')
    expect((await findPart('[data-token]')).textContent).toContain('Expired')
  })

  test('behavior: revoked once it was said twice', async () => {
    tokens = [token]
    browser.server.answer(revokeApiToken, () => {
      tokens = []
      return undefined
    })
    await browser.open('/tokens')
    await pressButton('Revoke Nightly report')
    expect(browser.server.asked(revokeApiToken)).toEqual([])
    await pressButton('Revoke now')
    await screen.findByText('No API tokens yet')
    expect(browser.server.asked(revokeApiToken)).toEqual([{ id: token.id }])
  })

  test('error: a revocation that fails leaves the token, and says so', async () => {
    tokens = [token]
    browser.server.fail(revokeApiToken, 'DATABASE_UNAVAILABLE', {}, 503)
    await browser.open('/tokens')
    await pressButton('Revoke Nightly report')
    await pressButton('Revoke now')
    await screen.findByText(/DATABASE_UNAVAILABLE/)
    screen.getByText('Nightly report')
  })
})
