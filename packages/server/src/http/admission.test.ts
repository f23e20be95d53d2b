import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import {
  addSafe,
  call,
  callNode,
  createApiToken,
  getConfiguration,
  listActivity,
  listSafes,
  nameAddress,
  proposeMessage,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { devnet, openChain } from '../test/scene.ts'
import { startScriptedNode } from '../test/scripted-node.ts'
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
} from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'
import { type AdmissionSettings, createAdmission, usualAdmission } from './admission.ts'
import { newToken } from './random-token.ts'

const [alice, bob, carol] = demoAccounts
const chainId = 31337
const { rates, lanes } = usualAdmission

openChain()

async function withServer(
  admission: AdmissionSettings,
  use: (server: TestServer) => Promise<void>,
  changes: { trustedProxies?: string[]; hasRateLimits?: boolean } = {},
): Promise<void> {
  const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], admission, ...changes })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

/** A look-up that waits until it is let go, whoever asks. */
async function lockTable(server: TestServer, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

/** Somebody who made up a session, or an API token. */
function stranger(server: TestServer, browser: Browser, from?: string) {
  const [name = ''] = browser.cookies.keys()
  const forwarded: Record<string, string> = from ? { 'x-forwarded-for': from } : {}
  return (how: 'cookie' | 'token' = 'cookie', path = '/api/safes') =>
    fetch(`${server.origin}${path}`, {
      headers: {
        ...forwarded,
        ...(how === 'cookie'
          ? { cookie: [...browser.cookies.keys()].map((cookie) => `${cookie}=${newToken()}`).join('; ') || `${name}=x` }
          : { authorization: `Bearer csn_${newToken()}` }),
      },
    })
}

async function statuses(count: number, ask: () => Promise<Response>): Promise<Record<number, number>> {
  const found: Record<number, number> = {}
  for (let at = 0; at < count; at += 1) {
    const { status } = await ask()
    found[status] = (found[status] ?? 0) + 1
  }
  return found
}

describe('a session that was made up', () => {
  test('error: RATE_LIMITED: after so many of one network, before they are looked for; who is known is served', async () => {
    const few = { ...usualAdmission, rates: { ...rates, guesses: { burst: 20, perSecond: 0.01 } } }
    await withServer(few, async (server) => {
      const asAlice = await signInAs(server, alice)
      const { token } = await call(asAlice, createApiToken, { name: 'script', scopes: ['read'], expiresAt: null })
      const wrong = stranger(server, asAlice)
      expect(await statuses(10, () => wrong('cookie'))).toEqual({ 401: 10 })
      expect(await statuses(10, () => wrong('token'))).toEqual({ 401: 10 })
      expect(await statuses(10, () => wrong('cookie'))).toEqual({ 429: 10 })
      expect(await statuses(10, () => wrong('token', `/tx-service/${chainId}/api/v1/about/`))).toEqual({ 429: 10 })
      const limited = await wrong('cookie', '/api/session')
      expect(limited.status).toBe(429)
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)

      const free = await lockTable(server, 'session, api_token')
      expect((await wrong('cookie')).status).toBe(429)
      expect((await wrong('token')).status).toBe(429)
      await free()

      expect(await codeOf(call(asAlice, listSafes, {}))).toBe('no error')
      // An API token that was never shown here is as good as one that was made up, until it was once looked for.
      const byToken = () => fetch(`${server.origin}/api/safes`, { headers: { authorization: `Bearer ${token}` } })
      expect((await byToken()).status).toBe(429)
      server.pass(200_000)
      expect((await byToken()).status).toBe(200)
      expect(await statuses(3, () => wrong('cookie'))).toEqual({ 401: 2, 429: 1 })
      expect((await byToken()).status).toBe(200)
      expect(await codeOf(call(await signInAs(server, bob), listSafes, {}))).toBe('no error')
    })
  })

  test('error: OVERLOADED: from hundreds of networks; who is known is served', async () => {
    const few = { ...usualAdmission, rates: { ...rates, guessesOfAll: { burst: 50, perSecond: 0.01 } } }
    await withServer(
      few,
      async (server) => {
        const asAlice = await signInAs(server, alice)
        const found = await Promise.all(
          Array.from({ length: 300 }, (_, at) => stranger(server, asAlice, `10.0.${at >> 8}.${at & 255}`)()),
        )
        const count = (status: number) => found.filter((answer) => answer.status === status).length
        expect([count(401), count(503)]).toEqual([50, 250])
        expect(found.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('2')
        expect(await codeOf(call(asAlice, listSafes, {}))).toBe('no error')
      },
      { trustedProxies: ['127.0.0.1'] },
    )
  })

  test('behavior: a network is an IPv4 address, or the first half of an IPv6 address', async () => {
    const few = { ...usualAdmission, rates: { ...rates, guesses: { burst: 2, perSecond: 0.01 } } }
    await withServer(
      few,
      async (server) => {
        const asAlice = await signInAs(server, alice)
        const ask = async (from: string) => (await stranger(server, asAlice, from)()).status
        expect([await ask('2001:db8::1'), await ask('2001:db8::2'), await ask('2001:db8::3')]).toEqual([401, 401, 429])
        expect([await ask('2001:db8:0:1::1'), await ask('192.0.2.1')]).toEqual([401, 401])
      },
      { trustedProxies: ['127.0.0.1'] },
    )
  })
})

describe('limits', () => {
  test('default: those of the documentation are those in force', () => {
    const page = readFileSync(new URL('../../../../docs/tx-service.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')
    const { reads, writes, account, network, guesses } = rates
    const of = ({ burst, perSecond }: typeof reads) => [burst.toLocaleString('en'), perSecond] as const
    const [[readsAtOnce, readsASecond], [writesAtOnce, writesASecond]] = [of(reads), of(writes)]
    expect(page).toContain(
      `an API token has ${readsAtOnce} reads at once and then ${readsASecond} a second, ` +
        `${writesAtOnce} writes at once and then ${writesASecond} a second`,
    )
    expect(page).toContain(`An account with all its tokens has ${of(account).join(' and ')} a second`)
    expect(page).toContain(`a network has ${of(network).join(' and ')}.`)
    expect(page).toContain(`a network has ${of(guesses).join(' and then ')} a second`)
  })

  test('error: RATE_LIMITED: of a network, whatever it asks for; probes are answered', async () => {
    const few = { ...usualAdmission, rates: { ...rates, network: { burst: 5, perSecond: 0.01 } } }
    await withServer(few, async (server) => {
      const ask = (path: string) => fetch(`${server.origin}${path}`).then(({ status }) => status)
      for (const path of ['/api/configuration', '/api', '/api/openapi.json', '/nothing', '/tx-service/1/api/v1/about/'])
        expect(await ask(path)).toBeLessThan(405)
      for (const path of ['/api/configuration', '/', '/nothing', '/tx-service/1/api/v1/about/'])
        expect(await ask(path)).toBe(429)
      for (const path of ['/healthz', '/readyz', '/metrics']) expect(await ask(path)).toBe(200)
      const refused = await fetch(`${server.origin}/tx-service/1/api/v1/about/`)
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
      expect(await refused.json()).toEqual({ detail: expect.stringContaining('Too many requests') })
      const problem = await fetch(`${server.origin}/api/configuration`)
      expect(problem.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await problem.json()).toMatchObject({
        code: 'RATE_LIMITED',
        requestId: problem.headers.get('x-request-id'),
      })
      expect(await (await fetch(`${server.origin}/metrics`)).text()).toMatch(/status="429"} 6/)
      // The log does not repeat a flood.
      expect(server.logged.filter((line) => line.includes('"status":429') && !line.includes('"level":20'))).toEqual([])
    })
  })

  test('error: RATE_LIMITED: of an account, with all its API tokens; a write counts as twelve reads', async () => {
    const few = { ...usualAdmission, rates: { ...rates, account: { burst: 60, perSecond: 0.01 } } }
    await withServer(few, async (server) => {
      const asAlice = await signInAs(server, alice)
      const clients = [await newTxClient(server, asAlice), await newTxClient(server, asAlice)]
      const found = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => (await clients[at % 2]?.ask('/v1/about/'))?.status),
      )
      expect(found.filter((status) => status === 200)).toHaveLength(60 - 2 * 12)
      expect(found.filter((status) => status === 429)).toHaveLength(50 - (60 - 2 * 12))
      expect(await codeOf(call(await signInAs(server, bob), listSafes, {}))).toBe('no error')
    })
  })

  test('behavior: twenty people behind one address, ten tabs each, are all served', async () => {
    await withServer(usualAdmission, async (server) => {
      const people = await Promise.all(
        Array.from({ length: 20 }, (_, at) => signInAs(server, demoAccounts[at % demoAccounts.length] ?? alice)),
      )
      const found = await Promise.all(
        people.flatMap((person) => Array.from({ length: 24 }, () => codeOf(call(person, listSafes, {})))),
      )
      expect(found.filter((code) => code !== 'no error')).toEqual([])
    })
  })
})

/** Requests that never send the body they announce. @returns what ends them */
function stall(server: TestServer, headers: readonly string[], { count, path }: { count: number; path: string }) {
  const { port, host } = new URL(server.origin)
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `origin: ${server.origin}`,
    'content-type: application/json',
    ...headers,
  ]
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write([...head, `x-forwarded-for: 10.1.1.${at}`, '', '{'].join('\r\n'))
    return socket
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

describe('limits of processor time', () => {
  test.each<[string, (server: TestServer, browser: Browser) => Promise<() => Promise<Response>>]>([
    ['the API', async (server, browser) => () => browser.fetch(`${server.origin}/api/safes`)],
    [
      'the wire of the Transaction Service',
      async (server, browser) => {
        const { token } = await call(browser, createApiToken, { name: 'wire', scopes: ['read'], expiresAt: null })
        const headers = { authorization: `Bearer ${token}` }
        return () => fetch(`${server.origin}/tx-service/${chainId}/api/v1/about/`, { headers })
      },
    ],
  ])('error: RATE_LIMITED: answers of %s by their bytes, and not by their number', async (_name, prepare) => {
    const burst = 2_000
    const few = { ...usualAdmission, rates: { ...rates, answers: { burst, perSecond: 0.001 } } }
    await withServer(few, async (server) => {
      const [asAlice, asBob] = await Promise.all([signInAs(server, alice), signInAs(server, bob)])
      const ask = await prepare(server, asAlice)
      let bytes = 0
      let longest = 0
      for (let at = 0; at < 400; at += 1) {
        const answer = await ask()
        if (answer.status === 429) break
        const { length } = await answer.text()
        longest = Math.max(longest, length)
        bytes += length
      }
      expect(bytes).toBeGreaterThan(burst)
      expect(bytes).toBeLessThanOrEqual(burst + longest)
      expect((await ask()).status).toBe(429)
      expect(await codeOf(call(asBob, listSafes, {}))).toBe('no error')
    })
  })

  test('error: RATE_LIMITED for messages by their hashing cost, not by their number', async () => {
    const few = { ...usualAdmission, rates: { ...rates, work: { burst: 25_000, perSecond: 0.001 } } }
    await withServer(few, async (server) => {
      const [asAlice, asBob] = await Promise.all([signInAs(server, alice), signInAs(server, bob)])
      const safeAddress = await newSafe(devnet.rpcUrl)
      const wrong = { safeMessageHash: `0x${'1'.repeat(64)}`, signature: `0x${'1'.repeat(130)}` } as const
      const propose = (browser: Browser, content: string) =>
        codeOf(call(browser, proposeMessage, { chainId, safeAddress, content, ...wrong }))
      const texts = JSON.stringify({
        domain: {},
        types: { EIP712Domain: [], M: [{ name: 'l', type: 'string[]' }] },
        primaryType: 'M',
        message: { l: Array.from({ length: 3_000 }, (_, at) => `text${at}`) },
      })
      const codes = [await propose(asAlice, texts), await propose(asAlice, texts), await propose(asAlice, texts)]
      expect(codes).toEqual(['MESSAGE_HASH_MISMATCH', 'MESSAGE_HASH_MISMATCH', 'RATE_LIMITED'])
      expect(await propose(asAlice, '"Hello"')).toBe('MESSAGE_HASH_MISMATCH')
      expect(await propose(asBob, texts)).toBe('MESSAGE_HASH_MISMATCH')
    })
  })
})

describe('the limit of answered bytes', () => {
  const admission = () => createAdmission(usualAdmission, { clock: () => new Date(0), hasRateLimits: true })
  const { burst } = rates.answers

  test('error: RATE_LIMITED before concurrent reads exceed it, once the length of the answers is known', () => {
    const { beginAnswer } = admission()
    beginAnswer('a', 'list')(burst / 4)
    const counts = [1, 2, 3].map(() => beginAnswer('a', 'list'))
    expect(() => beginAnswer('a', 'list')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
    beginAnswer('b', 'list')(1)
    // Errors have no answer to count.
    for (const count of counts) count(0)
    for (const count of counts) count(burst)
    beginAnswer('a', 'list')(burst / 4)
  })

  test('behavior: a client is served again after an answer that was longer than the limit', () => {
    let now = 0
    const { beginAnswer } = createAdmission(usualAdmission, { clock: () => new Date(now), hasRateLimits: true })
    beginAnswer('a', 'list')(3 * burst)
    expect(() => beginAnswer('a', 'list')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
    now += 86_400_000
    beginAnswer('a', 'list')
  })

  test('behavior: short reads begin together after a long list', () => {
    const { beginAnswer } = admission()
    beginAnswer('a', 'list')(burst / 4)
    for (let at = 0; at < 14; at += 1) beginAnswer('a', `read ${at}`)
  })

  test('behavior: short answers after a long one are expected to be short again', () => {
    const { beginAnswer } = admission()
    beginAnswer('a', 'list')(burst / 2)
    for (let at = 0; at < 10; at += 1) beginAnswer('a', 'list')(100)
    for (let at = 0; at < 1_000; at += 1) beginAnswer('a', 'list')
  })
})

describe('requests that do not wait for answers', () => {
  test('behavior: a few on one connection are answered; a thousand end it', async () => {
    await withServer(usualAdmission, async (server) => {
      const { port, host } = new URL(server.origin)
      const send = (count: number) =>
        new Promise<number>((resolve) => {
          const socket = connect(Number(port), '127.0.0.1')
          let text = ''
          const answers = () => text.split('HTTP/1.1 ').length - 1
          socket.on('error', () => {})
          socket.on('close', () => resolve(answers()))
          socket.on('data', (chunk) => {
            text += chunk
            if (answers() === count) socket.end()
          })
          socket.write(`GET /api/configuration HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(count))
        })
      expect(await send(10)).toBe(10)
      expect(await send(1_000)).toBeLessThan(20)
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    })
  })
})

describe('a body that does not come', () => {
  test('behavior: short and long ones keep nobody from signing in or writing', async () => {
    await withServer(
      usualAdmission,
      async (server) => {
        const asAlice = await signInAs(server, alice)
        const cookie = `cookie: ${[...asAlice.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`
        const { token } = await call(asAlice, createApiToken, {
          name: 'slow',
          scopes: ['read', 'propose'],
          expiresAt: null,
        })
        const ends = [
          stall(server, ['content-length: 500'], { count: 40, path: '/api/session/message' }),
          stall(server, ['content-length: 900000'], { count: 10, path: '/api/session/message' }),
          stall(server, ['transfer-encoding: chunked'], { count: 10, path: '/api/session/message' }),
          stall(server, ['content-length: 500', cookie], { count: 10, path: '/api/safes' }),
          stall(server, ['content-length: 500', `authorization: Bearer ${token}`], {
            count: 10,
            path: `/tx-service/${chainId}/api/v1/data-decoder/`,
          }),
        ]
        // Whatever was sent before is in its place when this is answered.
        for (let at = 0; at < 20; at += 1) expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
        expect(await codeOf(signInAs(server, bob))).toBe('no error')
        expect(await codeOf(call(asAlice, listSafes, {}))).toBe('no error')
        const address = await newSafe(devnet.rpcUrl)
        expect(await codeOf(call(asAlice, addSafe, { chainId, address }))).toBe('no error')
        for (const end of ends) end()
      },
      { trustedProxies: ['127.0.0.1'] },
    )
  })

  test('behavior: who leaves in the middle of one is no failure of the server or of its database', async () => {
    await withServer(usualAdmission, async (server) => {
      const before = server.logged.length
      const end = stall(server, ['content-length: 500'], { count: 3, path: '/api/session/message' })
      for (let at = 0; at < 5; at += 1) await fetch(`${server.origin}/healthz`)
      end()
      await eventually(
        async () => server.logged.slice(before).filter((line) => line.includes('/session/message')).length >= 3,
      )
      const told = server.logged.slice(before).join('\n')
      expect(told).not.toMatch(/DATABASE_UNAVAILABLE|INTERNAL|request failed|does not declare/)
    })
  })
})

describe('more than can be answered', () => {
  test('error: OVERLOADED: with Retry-After, before the database is asked; other accounts, probes and nodes are there', async () => {
    const reads = { ...lanes.reads, atOnce: 4, atOnceOfOne: 2, waiting: 16, milliseconds: 500 }
    const small = { ...usualAdmission, lanes: { ...lanes, reads } }
    await withServer(small, async (server) => {
      const [asAlice, asBob] = await Promise.all([signInAs(server, alice), signInAs(server, bob)])
      const safeAddress = await newSafe(devnet.rpcUrl)
      await call(asAlice, addSafe, { chainId, address: safeAddress })
      const free = await lockTable(server, 'activity')
      const stuck = Array.from({ length: 40 }, () => codeOf(call(asAlice, listActivity, { chainId, safeAddress })))
      expect(await codeOf(call(asBob, listSafes, {}))).toBe('no error')
      expect(await codeOf(call(newBrowser(server), getConfiguration, {}))).toBe('no error')
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect((await fetch(`${server.origin}${path}`)).status).toBe(200)
      const metrics = await (await fetch(`${server.origin}/metrics`)).text()
      expect(metrics).toContain('countersign_requests_running{lane="reads"} 2')
      // Two run, four wait, until they have waited too long; the others are sent away at once.
      const refused = await Promise.race(stuck)
      expect(refused).toBe('OVERLOADED')
      const response = await asAlice.fetch(`${server.origin}/api/safes`)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      await free()
      const codes = await Promise.all(stuck)
      expect([...new Set(codes)].sort()).toEqual(['OVERLOADED', 'no error'])
      expect(codes.filter((code) => code === 'no error').length).toBeLessThanOrEqual(6)
      expect(await codeOf(call(asAlice, listActivity, { chainId, safeAddress }))).toBe('no error')
    })
  })

  test('behavior: a chain whose node hangs keeps nobody waiting who reads another', async () => {
    const { node, server } = await besideHanging()
    try {
      const browsers = await Promise.all([alice, bob, carol].map((account) => signInAs(server, account)))
      const params = [{ to: alice.address, data: '0x' }, 'latest']
      const body = { jsonrpc: '2.0' as const, id: 1, method: 'eth_call', params }
      const stuck = browsers.flatMap((browser) =>
        Array.from({ length: 8 }, () => codeOf(call(browser, callNode, { chainId: 7, body }))),
      )
      const byWire = browsers.map(async (browser) => {
        const { token } = await call(browser, createApiToken, { name: 'wire', scopes: ['read'], expiresAt: null })
        const ask = () =>
          fetch(`${server.origin}/tx-service/7/api/v1/about/ethereum-rpc/`, {
            headers: { authorization: `Bearer ${token}` },
          })
        await Promise.all(Array.from({ length: 8 }, ask))
      })
      await eventually(async () => node.exchanges.length > 0)
      for (const browser of browsers) await call(browser, callNode, { chainId, body })
      for (const browser of browsers) await call(browser, listSafes, {})
      // They were answered beside the calls that hang, not after them.
      expect(node.open()).toBeGreaterThan(0)
      await node.close()
      await Promise.all([...stuck, ...byWire])
    } finally {
      await server.stop()
    }
  })

  test('behavior: nor anybody who writes about another', async () => {
    const { node, server } = await besideHanging()
    try {
      const browsers = await Promise.all(demoAccounts.slice(0, 7).map((account) => signInAs(server, account)))
      const [last = newBrowser(server), ...others] = browsers
      const safeAddress = await newSafe(devnet.rpcUrl)
      await call(last, addSafe, { chainId, address: safeAddress })
      const stuck = others.flatMap((browser) =>
        Array.from({ length: 4 }, () => codeOf(call(browser, addSafe, { chainId: 7, address: safeAddress }))),
      )
      await eventually(async () => node.exchanges.length > 0)
      await call(last, nameAddress, { chainId, safeAddress, address: bob.address, name: 'Bob' })
      expect(node.open()).toBeGreaterThan(0)
      await node.close()
      await Promise.all(stuck)
    } finally {
      await server.stop()
    }
  })
})

/** A server with the test chain, and one more whose node answers no call. */
async function besideHanging() {
  const node = await startScriptedNode(devnet.rpcUrl, async (asked, truth) => {
    if (asked.some(({ method }) => ['eth_call', 'web3_clientVersion'].includes(method))) await new Promise(() => {})
    return (await truth()).map((answer) => ({
      ...answer,
      result: answer.result === '0x7a69' ? '0x7' : answer.result,
    }))
  })
  const chains = [devnetChain(devnet.rpcUrl), { ...devnetChain(node.url, 7), isDevnet: false }]
  const server = await startTestServer({ chains })
  return { node, server }
}
