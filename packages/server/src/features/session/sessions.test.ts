import {
  addSafe,
  call,
  callNode,
  getSession,
  listSafes,
  listSessions,
  prepareSignIn,
  revokeOtherSessions,
  revokeSession,
  signIn,
  signOut,
} from '@countersign/contract'
import { type Devnet, demoAccounts, deployContractAccount, startDevnet } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDevice } from '../../device.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newBrowser,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const OTHER_CHAIN = 31338
const HOUR = 3_600_000

let devnet: Devnet
let other: Devnet
let server: TestServer
let contractAccount: Address

beforeAll(async () => {
  ;[devnet, other] = await Promise.all([startDevnet({ port: 0 }), startDevnet({ port: 0, chainId: OTHER_CHAIN })])
  for (const { rpcUrl } of [devnet, other])
    contractAccount = await deployContractAccount(rpcUrl, demoAccounts[9].address, bob.address)
  server = await startTestServer({
    chains: [devnetChain(devnet.rpcUrl), devnetChain(other.rpcUrl, OTHER_CHAIN)],
    hasRateLimits: false,
    safeHosts: ['https://app.safe.global'],
  })
})
afterAll(async () => {
  await server?.stop()
  await devnet?.close()
  await other?.close()
})

const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

function saying(browser: Browser, headers: Record<string, string>): Browser {
  browser.headers = { ...browser.headers, ...headers }
  return browser
}

async function signInWith(
  browser: Browser,
  {
    account = alice.address,
    key = alice.privateKey,
    on = chainId,
    isFramed = false,
  }: { account?: Address; key?: Hex; on?: number; isFramed?: boolean } = {},
) {
  const { message } = await call(browser, prepareSignIn, { address: account, chainId: on, isFramed })
  const signature = await privateKeyToAccount(key).signMessage({ message })
  return call(browser, signIn, { message, signature, isFramed })
}

/** Ends when the stream does. */
async function openStream(browser: Browser, origin = server.origin): Promise<{ ended: Promise<void> }> {
  const response = await browser.fetch(`${origin}/api/events`)
  expect(response.status).toBe(200)
  const ended = (async () => {
    for await (const _ of response.body ?? []) {
      // The error does not matter here.
    }
  })()
  return { ended }
}

describe('listSessions', () => {
  test('default: where, what and when, this one first; those of nobody else', async () => {
    const desktop = saying(newBrowser(server), { 'user-agent': CHROME_ON_WINDOWS })
    await signInWith(desktop)
    const script = await signInAs(server, alice)
    await signInAs(server, bob)
    const { sessions } = await call(desktop, listSessions, {})
    expect(sessions[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      chainId,
      browser: 'Chrome',
      system: 'Windows',
      clientAddress: '127.0.0.1',
      isFramed: false,
      isCurrent: true,
    })
    expect(sessions.slice(1).every(({ isCurrent }) => !isCurrent)).toBe(true)
    const own = await call(script, listSessions, {})
    expect(own.sessions.map(({ id }) => id).sort()).toEqual(sessions.map(({ id }) => id).sort())
    expect(own.sessions[0]?.id).not.toBe(sessions[0]?.id)
    expect(JSON.stringify(sessions)).not.toContain('Mozilla')
    await call(desktop, revokeOtherSessions, {})
    await call(desktop, signOut, {})
  })

  test('behavior: with what has expired left out', async () => {
    const early = await signInAs(server, alice)
    const { sessions: before } = await call(early, listSessions, {})
    server.pass(8 * 24 * HOUR)
    const late = await signInAs(server, alice)
    const { sessions } = await call(late, listSessions, {})
    expect(sessions.map(({ id }) => id)).not.toContain(before[0]?.id)
    server.pass(-8 * 24 * HOUR)
    await call(early, revokeOtherSessions, {})
    await call(early, signOut, {})
  })
})

describe('revokeSession', () => {
  test('default: ends it and its live streams, in every process', async () => {
    const second = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      databaseUrl: server.databaseUrl,
      publicUrl: server.url,
    })
    try {
      const [here, there] = [await signInAs(server, alice), await signInAs(server, alice)]
      const streams = await Promise.all([openStream(there), streamAt(second, there)])
      const kept = await openStream(here)
      const { sessions } = await call(there, listSessions, {})
      await call(here, revokeSession, { id: sessions[0]?.id ?? '' })
      await Promise.all(streams.map(({ ended }) => ended))
      const refused: unknown = await call(there, listSafes, {}).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'SESSION_REVOKED', data: { reason: 'revoked' } })
      const { session, ended } = await call(there, getSession, {})
      expect([session, ended?.reason]).toEqual([null, 'revoked'])
      expect(Math.abs(Date.parse(ended?.at ?? '') - Date.now())).toBeLessThan(60_000)
      // It is over: it is in no list, and cannot be ended twice.
      const id = sessions[0]?.id ?? ''
      expect((await call(here, listSessions, {})).sessions.map((session) => session.id)).not.toContain(id)
      expect(await codeOf(call(here, revokeSession, { id }))).toBe('SESSION_NOT_FOUND')
      await call(here, listSafes, {})
      await call(here, signOut, {})
      await kept.ended
    } finally {
      await second.stop()
    }
  })

  test('error: SESSION_NOT_FOUND for one of somebody else, which goes on', async () => {
    const [hers, his] = [await signInAs(server, alice), await signInAs(server, bob)]
    const { sessions } = await call(his, listSessions, {})
    const id = sessions[0]?.id ?? ''
    expect(await codeOf(call(hers, revokeSession, { id }))).toBe('SESSION_NOT_FOUND')
    expect(await codeOf(call(hers, revokeSession, { id: 'f'.repeat(24) }))).toBe('SESSION_NOT_FOUND')
    expect(await codeOf(call(hers, revokeSession, { id: "' or 1=1" }))).toBe('INVALID_REQUEST')
    await call(his, listSafes, {})
    await call(hers, signOut, {})
    await call(his, signOut, {})
  })
})

/** Another process is reached at its own port and asked under the common name. */
async function streamAt({ port }: TestServer, browser: Browser): Promise<{ ended: Promise<void> }> {
  const { request } = await import('node:http')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/api/events', headers: { host: server.url.host, cookie } },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`answered ${response.statusCode}`))
        response.resume()
        resolve({ ended: new Promise((done) => response.once('close', () => done())) })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

describe('revokeOtherSessions', () => {
  test('default: all but this one', async () => {
    const browsers = [await signInAs(server, alice), await signInAs(server, alice), await signInAs(server, alice)]
    const [first, ...rest] = browsers
    if (!first) throw new Error('unreachable')
    expect(await call(first, revokeOtherSessions, {})).toEqual({ ended: 2 })
    for (const browser of rest) expect(await codeOf(call(browser, listSafes, {}))).toBe('SESSION_REVOKED')
    expect((await call(first, listSessions, {})).sessions).toHaveLength(1)
    expect(await call(first, revokeOtherSessions, {})).toEqual({ ended: 0 })
    await call(first, signOut, {})
  })
})

describe('signing in again', () => {
  test('behavior: ends the session that this browser had, and its live stream', async () => {
    const browser = await signInAs(server, alice)
    const old = new Map(browser.cookies)
    const stream = await openStream(browser)
    await signInWith(browser, { account: bob.address, key: bob.privateKey })
    await stream.ended
    const stolen = newBrowser(server)
    for (const [name, value] of old) stolen.cookies.set(name, value)
    expect(await codeOf(call(stolen, listSafes, {}))).toBe('NOT_SIGNED_IN')
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address: bob.address } })
  })

  test('behavior: one that fails leaves it as it is', async () => {
    const browser = await signInAs(server, alice)
    expect(await codeOf(signInWith(browser, { account: bob.address }))).toBe('SIWE_SIGNATURE_INVALID')
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address: alice.address } })
  })
})

describe('a contract account', () => {
  const asContract = () => ({ account: contractAccount, key: bob.privateKey })

  test('behavior: is proven on its chain alone, and for a shorter time', async () => {
    const browser = newBrowser(server)
    const { session } = await signInWith(browser, asContract())
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(8 * HOUR)
    expect(session).toMatchObject({ chainId, provenBy: 'contract' })
    expect(await call(browser, getSession, {})).toEqual({ session })
    const owners = [contractAccount, alice.address]
    const here = await newSafe(devnet.rpcUrl, { owners, threshold: 1 })
    const there = await newSafe(other.rpcUrl, { owners, threshold: 1, chainId: OTHER_CHAIN })
    expect(await codeOf(call(browser, addSafe, { chainId, address: here }))).toBe('no error')
    expect(await codeOf(call(browser, addSafe, { chainId: OTHER_CHAIN, address: there }))).toBe(
      'ACCOUNT_ON_OTHER_CHAIN',
    )
    const asAlice = await signInAs(server, alice)
    await call(asAlice, addSafe, { chainId: OTHER_CHAIN, address: there })
    const { safes } = await call(browser, listSafes, {})
    expect(safes.map(({ address }) => address)).toEqual([here])
    // The chain itself anybody may read.
    const body = { jsonrpc: '2.0' as const, id: 1, method: 'eth_chainId' }
    expect(await call(browser, callNode, { chainId: OTHER_CHAIN, body })).toMatchObject({ result: '0x7a6a' })
  })

  test('behavior: sees and ends its sessions of this chain, not those that the same address has on another', async () => {
    const [here, there] = [newBrowser(server), newBrowser(server)]
    await signInWith(here, asContract())
    await signInWith(there, { ...asContract(), on: OTHER_CHAIN })
    const { sessions } = await call(here, listSessions, {})
    expect(sessions.every((session) => session.chainId === chainId)).toBe(true)
    const [foreign] = (await call(there, listSessions, {})).sessions
    expect(await codeOf(call(here, revokeSession, { id: foreign?.id ?? '' }))).toBe('SESSION_NOT_FOUND')
    await call(here, revokeOtherSessions, {})
    await call(there, listSafes, {})
  })
})

describe('inside the frame of a Safe interface', () => {
  const framed = () => saying(newBrowser(server), { 'sec-fetch-site': 'same-origin' })

  test('default: a partitioned cookie, and it counts for our own pages alone', async () => {
    const browser = framed()
    const lines: string[] = []
    const { fetch: send } = browser
    browser.fetch = async (...args) => {
      const response = await send(...args)
      lines.push(...response.headers.getSetCookie())
      return response
    }
    await signInWith(browser, { isFramed: true })
    expect(lines.map((line) => line.split('=')[0]?.replace(/_[0-9a-f]+$/, ''))).toEqual([
      'countersign_frame_signin',
      'countersign_frame_session',
      'countersign_frame_seen',
    ])
    for (const line of lines)
      for (const attribute of ['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned', 'Path=/'])
        expect(line.split('; ')).toContain(attribute)
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address: alice.address } })
    const { sessions } = await call(browser, listSessions, {})
    expect(sessions[0]).toMatchObject({ isFramed: true, isCurrent: true })

    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}] as Record<
      string,
      string
    >[])
      expect((await fetch(`${server.origin}/api/safes`, { headers: { ...headers, cookie } })).status).toBe(401)
    await call(browser, signOut, {})
    expect([...browser.cookies.keys()].some((name) => name.includes('session'))).toBe(false)
  })

  test('behavior: a browser that sends both cookies has one session, the last', async () => {
    const browser = framed()
    await signInWith(browser)
    await signInWith(browser, { account: bob.address, key: bob.privateKey, isFramed: true })
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address: bob.address } })
    await signInWith(browser)
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address: alice.address } })
    expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toHaveLength(1)
  })

  test('behavior: a message for the page is none for the frame', async () => {
    const browser = framed()
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    const signature = await privateKeyToAccount(alice.privateKey).signMessage({ message })
    expect(await codeOf(call(browser, signIn, { message, signature, isFramed: true }))).toBe('SIWE_NONCE_FOREIGN')
  })

  test('error: FRAME_NOT_ALLOWED without a named host, or without https', async () => {
    for (const settings of [
      {},
      { safeHosts: ['https://app.safe.global'], publicUrl: new URL('http://safe.example') },
    ]) {
      const strict = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], ...settings })
      try {
        const body = JSON.stringify({ address: alice.address, chainId, isFramed: true })
        const { request } = await import('node:http')
        const text = await new Promise<string>((resolve, reject) => {
          const sent = request(
            {
              host: '127.0.0.1',
              port: strict.port,
              path: '/api/session/message',
              method: 'POST',
              headers: { host: strict.url.host, origin: strict.origin, 'content-type': 'application/json' },
            },
            (response) => {
              let all = ''
              response.on('data', (chunk) => {
                all += String(chunk)
              })
              response.on('end', () => resolve(all))
            },
          )
          sent.on('error', reject)
          sent.end(body)
        })
        expect(text).toContain('"FRAME_NOT_ALLOWED"')
      } finally {
        await strict.stop()
      }
    }
  })
})

describe('the database', () => {
  test('behavior: holds no token, and no more sessions of an account than anybody has', async () => {
    const browser = await signInAs(server, alice)
    const dump = JSON.stringify(
      (await server.db.execute(sql`select encode(token_hash, 'escape') t, * from session`)).rows,
    )
    for (const value of browser.cookies.values()) expect(dump).not.toContain(value)
    await server.db.execute(sql`
      insert into session (token_hash, id, address, chain_id, proven_by, created_at, last_seen_at, expires_at)
      select sha256(n::text::bytea), lpad(n::text, 24, '0'), '\\x00000000000000000000000000000000000000aa', 1, 'key',
        now() - n * interval '1 second', now(), now() + interval '1 day'
      from generate_series(1, 150) n`)
    const { removeEndedSessions } = await import('./clean-up.ts')
    await removeEndedSessions({ db: server.db, clock: () => new Date() })
    const { rows } = await server.db.execute(sql`
      select id from session where address = '\\x00000000000000000000000000000000000000aa' order by id`)
    expect(rows).toHaveLength(100)
    expect(rows.at(-1)).toEqual({ id: '100'.padStart(24, '0') })
    await eventually(async () => (await call(browser, listSafes, {})).safes)
  })
})

describe('messages to sign', () => {
  test('behavior: are gone after a crash, so that none can be used again; those that wait for owners are kept', async () => {
    const { rows } = await server.db.execute(sql`
      select relname, relpersistence from pg_class where relname in ('sign_in_nonce', 'waiting_sign_in') order by 1`)
    expect(rows).toEqual([
      { relname: 'sign_in_nonce', relpersistence: 'u' },
      { relname: 'waiting_sign_in', relpersistence: 'p' },
    ])
  })
})

describe('a short idle limit', () => {
  test('behavior: a session that is used goes on, one that is not ends', async () => {
    const minute = 60_000
    const strict = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      sessionLimits: { idleMilliseconds: 3 * minute, absoluteMilliseconds: HOUR, contractMilliseconds: HOUR },
    })
    try {
      const browser = await signInAs(strict, alice)
      for (let times = 0; times < 10; times += 1) {
        strict.pass(2 * minute)
        await call(browser, listSafes, {})
      }
      strict.pass(4 * minute)
      expect(await codeOf(call(browser, listSafes, {}))).toBe('SESSION_EXPIRED')
    } finally {
      await strict.stop()
    }
  })
})

describe('describeDevice', () => {
  test('default: names of our own, whatever is said', () => {
    const iPhone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
    const edge = `${CHROME_ON_WINDOWS} Edg/142.0.0.0`
    const mac =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
    expect(describeDevice(iPhone)).toEqual({ browser: 'Safari', system: 'iOS' })
    expect(describeDevice(firefox)).toEqual({ browser: 'Firefox', system: 'Linux' })
    expect(describeDevice(edge)).toEqual({ browser: 'Edge', system: 'Windows' })
    expect(describeDevice(mac)).toEqual({ browser: 'Safari', system: 'macOS' })
    expect(describeDevice('node')).toEqual({ browser: 'Node.js', system: null })
    for (const strange of [null, '', '<script>alert(1)</script>', 'x'.repeat(100_000)])
      expect(describeDevice(strange)).toEqual({ browser: null, system: null })
  })
})
