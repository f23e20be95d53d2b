import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contract from '@countersign/contract'
import {
  addSafe,
  call,
  callNode,
  getConfiguration,
  type LiveEvent,
  proposeTransaction,
  signOut,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { afterAll, describe, expect, test } from 'vitest'
import { devnet, openScene, server } from './test/scene.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newBrowser,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
} from './test/test-server.ts'

const [alice, bob, , stranger] = demoAccounts
const chainId = 31337
const DEAD_CHAIN = 99_901

let web: string

openScene([], () => {
  web = mkdtempSync(join(tmpdir(), 'countersign-web-'))
  mkdirSync(join(web, 'assets'))
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(join(web, 'manifest.json'), '{}')
  writeFileSync(join(web, 'assets', 'main-a1b2c3d4.js'), 'export {}')
  return {
    chains: [devnetChain(devnet.rpcUrl), devnetChain('http://secret-key:hidden@127.0.0.1:9/v2/KEY', DEAD_CHAIN)],
    webDirectory: web,
  }
})
afterAll(() => rmSync(web, { recursive: true, force: true }))

/** Opens the live stream; collects its events until it is closed. */
async function listen(browser: Browser) {
  const stop = new AbortController()
  const response = await browser.fetch(`${server.origin}/api/events`, { signal: stop.signal })
  const events: LiveEvent[] = []
  const finished = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = /^event: change\ndata: (.*)$/m.exec(part)?.[1]
        if (data) events.push(JSON.parse(data))
      }
    }
  })().catch(() => {})
  return { response, events, finished, stop: () => stop.abort() }
}

/** `fetch` does not let a test choose the Host header. */
function requestWithHost(
  path: string,
  host: string,
  method = 'GET',
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`${server.origin}${path}`, { method, headers: { host, origin: server.origin } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, location: response.headers.location })
    })
      .on('error', reject)
      .end()
  })
}

describe('every answer', () => {
  test('default: security headers, on pages, data and errors', async () => {
    for (const path of ['/', '/api/configuration', '/api/safes', '/nothing.js']) {
      const { headers } = await fetch(`${server.origin}${path}`)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('behavior: a Safe App: framed by the named hosts alone, its manifest readable from anywhere', async () => {
    const safeHosts = ['https://app.safe.global', 'http://localhost:3000']
    const framed = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      webDirectory: web,
      safeHosts,
      hasCoinbase: true,
    })
    try {
      const { headers } = await fetch(`${framed.origin}/`)
      expect(headers.get('content-security-policy')).toContain(
        'frame-ancestors https://app.safe.global http://localhost:3000;',
      )
      expect(headers.get('content-security-policy')).toContain("connect-src 'self';")
      expect(headers.get('x-frame-options')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
      const manifest = await fetch(`${framed.origin}/manifest.json`)
      expect(manifest.headers.get('access-control-allow-origin')).toBe('*')
      expect(manifest.headers.get('content-type')).toBe('application/json')
      expect(await call(newBrowser(framed), getConfiguration, {})).toMatchObject({ safeHosts, hasCoinbase: true })
    } finally {
      await framed.stop()
    }
  })

  test('behavior: a wallet counts as a source unless it asks the same node, as far as is known', async () => {
    const chain = { ...devnetChain(devnet.rpcUrl), isDevnet: false }
    const proofOf = async (settings: object) => {
      const other = await startTestServer({ chains: [{ ...chain, ...settings }] })
      try {
        return (await call(newBrowser(other), getConfiguration, {})).chains.map(({ proof }) => proof)
      } finally {
        await other.stop()
      }
    }
    expect(await proofOf({})).toEqual([{ sources: 2, wallet: true, maxBlocksBehind: 25 }])
    expect(await proofOf({ publicRpcUrl: `${devnet.rpcUrl}/public` })).toEqual([
      { sources: 2, wallet: false, maxBlocksBehind: 25 },
    ])
    const own = { sources: 3, wallet: false, maxBlocksBehind: 3 }
    expect(await proofOf({ proof: own })).toEqual([own])
    const otherPort = devnet.rpcUrl.replace(/:\d+/, ':1')
    expect(await proofOf({ publicRpcUrl: otherPort })).toEqual([{ sources: 2, wallet: false, maxBlocksBehind: 25 }])
  })

  test('behavior: the page may reach the WalletConnect relay of the configuration, and no other host', async () => {
    const walletConnect = { projectId: 'abc', relayUrl: 'wss://relay.example:444/path', codeSeconds: 285 }
    const withRelay = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], walletConnect })
    try {
      const { headers } = await fetch(`${withRelay.origin}/api/configuration`)
      expect(headers.get('content-security-policy')).toContain(" connect-src 'self' wss://relay.example:444;")
      expect((await call(newBrowser(withRelay), getConfiguration, {})).walletConnect).toEqual(walletConnect)
      expect((await call(newBrowser(server), getConfiguration, {})).walletConnect).toBeNull()
    } finally {
      await withRelay.stop()
    }
  })

  test('behavior: an error is a problem document', async () => {
    const response = await fetch(`${server.origin}/api/safes`)
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: '/docs/errors.md#NOT_SIGNED_IN',
      title: 'You are not signed in',
      status: 401,
      detail: 'This needs a session.',
      hint: 'Connect your wallet and verify your account.',
      code: 'NOT_SIGNED_IN',
      data: {},
      requestId: response.headers.get('x-request-id'),
    })
  })

  test('error: INVALID_REQUEST names every field', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${server.origin}/api/session/message`, {
        method: 'POST',
        headers: { origin: server.origin, 'content-type': type },
        body,
      }).then((response) => response.json())
    const wrong = await post(JSON.stringify({ address: '0x12', chainId: -1 }))
    expect(wrong).toMatchObject({
      code: 'INVALID_REQUEST',
      data: { errors: [{ path: 'address' }, { path: 'chainId' }] },
    })
    expect(await post(JSON.stringify({ address: 1, chainId: 'one' }))).toMatchObject({
      data: {
        errors: [
          { path: 'address', message: 'Invalid input: expected string, received number' },
          { path: 'chainId', message: 'Invalid input: expected number, received string' },
        ],
      },
    })
    expect(await post('{')).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await post('{"address":"\\u0000"}')).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await post('{}', 'text/plain')).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await post(`"${'x'.repeat(1_100_000)}"`)).toMatchObject({ code: 'REQUEST_TOO_LARGE', status: 413 })
  })

  test('error: REQUEST_TOO_LARGE, also of a body that does not say how long it is', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { origin: server.origin, host: server.url.host, 'content-type': 'application/json' }
      const sent = request(`${server.origin}/api/session/message`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      for (let times = 0; times < 11; times += 1) sent.write(' '.repeat(100_000))
      sent.end()
    })
    expect(status).toBe(413)
  })

  test('error: NOT_FOUND, for what is no page', async () => {
    for (const path of ['/api/nothing', '/assets/nothing.js'])
      expect(await fetch(`${server.origin}${path}`).then((response) => response.json())).toMatchObject({
        code: 'NOT_FOUND',
      })
  })

  test('error: WRONG_ORIGIN', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${server.origin}/api/session`, { method: 'DELETE', headers }).then(async (response) => response.status)
    expect(await send({ origin: server.origin })).toBe(204)
    expect(await send({})).toBe(403)
    expect(await send({ origin: 'null' })).toBe(403)
    expect(await send({ origin: 'https://evil.example' })).toBe(403)
    expect(await send({ origin: server.origin, 'sec-fetch-site': 'cross-site' })).toBe(403)
  })

  test('behavior: another host is redirected, or refused', async () => {
    const { port } = server
    expect(await requestWithHost('/api?x=1', `127.0.0.1:${port}`)).toEqual({
      status: 307,
      location: `${server.origin}/api?x=1`,
    })
    expect(await requestWithHost('//evil.example/', 'evil.example')).toEqual({
      status: 307,
      location: `${server.origin}//evil.example/`,
    })
    expect((await requestWithHost('/api/session', `127.0.0.1:${port}`, 'DELETE')).status).toBe(403)
    expect((await requestWithHost('/healthz', '10.0.0.1')).status).toBe(200)
  })
})

describe('static files', () => {
  test('default: the app at every address, hashed files for ever, compressed', async () => {
    const page = await fetch(`${server.origin}/safes/31337/0x12`)
    expect(await page.text()).toContain('<title>App</title>')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const script = await fetch(`${server.origin}/assets/main-a1b2c3d4.js`)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('content-encoding')).toBe('gzip')
    const again = await fetch(page.url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })
})

describe('operation', () => {
  test('default: health, readiness, metrics, OpenAPI', async () => {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    expect(await fetch(`${server.origin}/readyz`).then((response) => response.json())).toEqual({
      database: 'ok',
      chains: {
        [chainId]: expect.objectContaining({ node: 'ok', stoppedAt: null }),
        [DEAD_CHAIN]: expect.objectContaining({ node: 'unreachable', cursorBlock: null }),
      },
    })
    expect(await fetch(`${server.origin}/metrics`).then((response) => response.text())).toContain(
      'countersign_requests_total{',
    )
    const text = await fetch(`${server.origin}/api/openapi.json`).then((response) => response.text())
    const document: { openapi: string; paths: object } = JSON.parse(text)
    expect(document.openapi).toBe('3.1.0')
    const paths = Object.values(contract).flatMap((exported) =>
      typeof exported === 'object' && 'path' in exported ? exported.path : [],
    )
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort())
    expect(await fetch(`${server.origin}/api`).then((response) => response.text())).toContain('Proposes a transaction')
  })

  test('behavior: no RPC URL, cookie or signature leaves the server or reaches the log', async () => {
    const browser = newBrowser(server)
    const configuration = JSON.stringify(await call(browser, getConfiguration, {}))
    const signedIn = await signInAs(server, alice)
    const code = await codeOf(call(signedIn, addSafe, { chainId: DEAD_CHAIN, address: alice.address }))
    expect(code).toBe('CHAIN_UNREACHABLE')
    const everything = configuration + server.logged.join('')
    for (const secret of ['secret-key', 'hidden', '/v2/KEY', ...signedIn.cookies.values()])
      expect(everything).not.toContain(secret)
    expect(server.logged.join('')).toContain('"requestId"')
  })
})

describe('callNode', () => {
  test('default: one, a batch, an error of the node', async () => {
    const browser = await signInAs(server, alice)
    const ask = (method: string, id = 1) => ({ jsonrpc: '2.0' as const, id, method })
    expect(await call(browser, callNode, { chainId, body: ask('eth_chainId') })).toMatchObject({
      id: 1,
      result: '0x7a69',
    })
    const batch = await call(browser, callNode, { chainId, body: [ask('eth_chainId', 1), ask('eth_blockNumber', 2)] })
    expect(batch).toHaveLength(2)
    const wrong = { ...ask('eth_getBalance'), params: ['nonsense'] }
    expect(await call(browser, callNode, { chainId, body: wrong })).toHaveProperty('error')
  })

  test('error: RPC_METHOD_NOT_ALLOWED, CHAIN_UNREACHABLE, NOT_SIGNED_IN, RATE_LIMITED', async () => {
    const browser = await signInAs(server, alice)
    const ask = (method: string) => ({ jsonrpc: '2.0' as const, id: 1, method })
    for (const method of ['anvil_setBalance', 'eth_sendTransaction', 'debug_traceCall', 'personal_sign'])
      expect(await codeOf(call(browser, callNode, { chainId, body: [ask('eth_chainId'), ask(method)] }))).toBe(
        'RPC_METHOD_NOT_ALLOWED',
      )
    expect(await codeOf(call(browser, callNode, { chainId: DEAD_CHAIN, body: ask('eth_chainId') }))).toBe(
      'CHAIN_UNREACHABLE',
    )
    expect(await codeOf(call(newBrowser(server), callNode, { chainId, body: ask('eth_chainId') }))).toBe(
      'NOT_SIGNED_IN',
    )
    const body = Array.from({ length: 100 }, () => ask('eth_chainId'))
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => codeOf(call(browser, callNode, { chainId, body }))),
    )
    expect(codes).toContain('RATE_LIMITED')
    expect(codes).toContain('no error')
  })
})

describe('live', () => {
  test('default: owners hear of it, a stranger does not, and an ended session hears nothing more', async () => {
    const address = await newSafe(devnet.rpcUrl)
    const [asAlice, asBob, asStranger] = await Promise.all(
      [alice, bob, stranger].map((account) => signInAs(server, account)),
    )
    if (!asAlice || !asBob || !asStranger) throw new Error('unreachable')
    await call(asAlice, addSafe, { chainId, address })
    const [bobs, strangers] = [await listen(asBob), await listen(asStranger)]
    expect(bobs.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const proposal = await signedTx(address, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress: address, ...proposal })
    const { safeTxHash } = proposal
    await eventually(async () => bobs.events.some(({ kind }) => kind === 'transaction'))
    expect(bobs.events).toContainEqual({ kind: 'transaction', chainId, safeAddress: address, safeTxHash })
    expect(strangers.events.filter(({ kind }) => kind !== 'chain')).toEqual([])

    await call(asBob, signOut, {})
    await bobs.finished
    strangers.stop()
  })

  test('error: NOT_SIGNED_IN', async () => {
    expect((await fetch(`${server.origin}/api/events`)).status).toBe(401)
  })
})

describe('cookies over https', () => {
  test('behavior: __Host-, Secure, HSTS', async () => {
    const secure = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      publicUrl: new URL('https://safe.example'),
    })
    try {
      const response = await new Promise<{ headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
        const sent = request(
          `http://127.0.0.1:${secure.port}/api/session/message`,
          {
            method: 'POST',
            headers: { host: 'safe.example', origin: 'https://safe.example', 'content-type': 'application/json' },
          },
          (answer) => {
            answer.resume()
            resolve({ headers: answer.headers })
          },
        )
        sent.on('error', reject)
        sent.end(JSON.stringify({ address: alice.address, chainId }))
      })
      expect(String(response.headers['set-cookie'])).toMatch(/^__Host-countersign_signin_\w+=.*Secure/)
      expect(response.headers['strict-transport-security']).toBe('max-age=31536000')
    } finally {
      await secure.stop()
    }
  })
})

/** Sends lines as they are, and reads until the server ends the connection. */
function sendRaw(lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () =>
      socket.write([...lines, '', ''].join('\r\n')),
    )
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('end', () => resolve(text)).on('error', reject)
  })
}

describe('a probe without a host', () => {
  test.each(
    ['/healthz', '/readyz', '/metrics']
      .flatMap((path) => [
        [`GET ${path} HTTP/1.0`],
        [`HEAD ${path} HTTP/1.0`],
        [`GET ${path}?from=probe HTTP/1.0`, 'Connection: close'],
        [`GET ${path} HTTP/1.1`, 'Connection: close'],
        [`GET ${path} HTTP/1.1`, 'Host:', 'Connection: close'],
        [`GET ${path} HTTP/1.1`, 'Host: 10.0.0.7:4100', 'Connection: close'],
        [`GET ${path} HTTP/1.1`, 'Host: no host at all', 'Connection: close'],
        [`GET ${path} HTTP/1.0`, 'Host: [::1', 'User-Agent: kube-probe/1.33'],
      ])
      .map((lines) => [lines.join(', '), lines] as const),
  )('behavior: %s is answered', async (_, lines) => {
    const answer = await sendRaw(lines)
    // A chain of this installation cannot be reached.
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|503) /)
  })

  test.each([
    ['GET / HTTP/1.0'],
    ['GET /api/session HTTP/1.1', 'Connection: close'],
    ['GET /healthz/../api/session HTTP/1.1', 'Connection: close'],
    ['POST /api/session HTTP/1.0', 'Content-Length: 0'],
    ['GET /tx-service/31337/api/v1/about HTTP/1.0'],
  ])('behavior: %s is no probe, and refused', async (...lines) => {
    expect(await sendRaw(lines)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
