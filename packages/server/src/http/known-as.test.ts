import { fail } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { Hono } from 'hono'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { createAdmission, usualAdmission } from './admission.ts'
import { newApiToken } from './api-token.ts'
import { hashToken, newToken } from './random-token.ts'
import { knownAs, seenName, writeSeenCookie } from './seen-browser.ts'
import { cookieName, type Place } from './session.ts'

const [{ address: alice }, { address: bob }] = demoAccounts
const deps = { publicUrl: new URL('http://localhost'), installationId: 'one', seenKey: Buffer.alloc(32, 1) }
const [session, apiToken] = [newToken(), newApiToken()]

/** A process that has found the session and the API token of Alice. */
function newProcess() {
  const admission = createAdmission(usualAdmission, { clock: () => new Date(0), hasRateLimits: true })
  for (const token of [session, apiToken]) admission.recognise({ tokenHash: hashToken(token), address: alice })
  return admission
}

/** The value of the cookie that a browser keeps after these have signed in in it, in turn. */
async function seenBy(accounts: Address[], seenKey = deps.seenKey): Promise<string> {
  let cookie = ''
  for (const account of accounts) {
    const app = new Hono().get('/', (c) => {
      writeSeenCookie(c, { ...deps, seenKey }, 'page', account)
      return c.text('')
    })
    const answer = await app.request('/', { headers: { cookie } })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  return cookie.slice(cookie.indexOf('=') + 1)
}

const cookie = (kind: 'session' | 'seen', value: string, place: Place = 'page') => ({
  cookie: `${cookieName(kind, place, deps)}=${value}`,
})
const ask = (headers: Record<string, string>, process = newProcess()) =>
  knownAs({ req: { header: (name) => headers[name] } }, deps, process)

const genuine = await seenBy([alice])
const half = genuine.length / 2
const ofBob = await seenBy([bob])
const ofOther = await seenBy([alice], Buffer.alloc(32, 2))
const framed = cookie('session', session, 'frame')

describe('the known account of a request', () => {
  test.each<[string, Record<string, string>, string | null]>([
    ['a session that was found', cookie('session', session), alice],
    ['one inside a frame of this origin', { ...framed, 'sec-fetch-site': 'same-origin' }, alice],
    ['an API token that was found', { authorization: `Bearer ${apiToken}` }, alice],
    ['a genuine cookie of the browser', cookie('seen', genuine), seenName(deps, alice)],
    [
      'a genuine entry behind made up ones',
      cookie('seen', `x.${'A'.repeat(half * 2)}.${genuine}`),
      seenName(deps, alice),
    ],
    ['nothing', {}, null],
    ['a made up session', cookie('session', newToken()), null],
    ['the hash of a session', cookie('session', hashToken(session)), null],
    ['a session under the name of another installation', { cookie: `countersign_session_two=${session}` }, null],
    ['one inside a frame of another site', { ...framed, 'sec-fetch-site': 'cross-site' }, null],
    ['one inside a frame of nobody knows which', framed, null],
    ['a made up API token', { authorization: `Bearer ${newApiToken()}` }, null],
    [
      'a made up API token beside a session',
      { ...cookie('session', session), authorization: `Bearer ${newApiToken()}` },
      null,
    ],
    ['a session in place of an API token', { authorization: `Bearer ${session}` }, null],
    ['a made up cookie of the browser', cookie('seen', 'A'.repeat(half * 2)), null],
    ['the name of an account alone', cookie('seen', seenName(deps, alice)), null],
    ['the proof of another account', cookie('seen', genuine.slice(0, half) + ofBob.slice(half)), null],
    ['the cookie of another installation', cookie('seen', ofOther), null],
    ['an entry too far behind', cookie('seen', `${'x.'.repeat(5)}${genuine}`), null],
    ['a cookie that no encoding explains', { cookie: `${cookieName('session', 'page', deps)}=%E0%A4%A` }, null],
  ])('behavior: by %s', (_, headers, expected) => {
    expect(ask(headers)).toBe(expected)
  })

  test('behavior: a session without an earlier lookup is unknown', () => {
    const fresh = createAdmission(usualAdmission, { clock: () => new Date(0), hasRateLimits: true })
    expect(ask(cookie('session', session), fresh)).toBeNull()
  })

  test('behavior: a session is no longer known after a lookup that refused it', async () => {
    const process = newProcess()
    const refuse = () => Promise.reject(fail('NOT_SIGNED_IN'))
    await expect(process.find([hashToken(session)], 'home', 'reads', refuse)).rejects.toThrow()
    expect(ask(cookie('session', session), process)).toBeNull()
  })

  test('behavior: a session that a lookup did not find does not become known', async () => {
    const process = newProcess()
    const token = newToken()
    await process.find([hashToken(token)], 'home', 'reads', async () => null)
    expect(ask(cookie('session', token), process)).toBeNull()
  })
})
