import { once } from 'node:events'
import { createServer } from 'node:net'
import { CountersignError } from '@countersign/safe'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callNode } from '../chains/chains.ts'
import { getSession, signOut } from '../session/session.ts'
import { call } from './client.ts'
import { endpoint } from './endpoint.ts'
import { hash, uint256 } from './primitives.ts'

const HASH = `0x${'ab'.repeat(32)}` as const

const echo = endpoint({
  name: 'echo',
  method: 'POST',
  path: '/api/echo/{label}/{safeTxHash}',
  summary: 'Answers what the test put into `answer`',
  params: z.object({ label: z.string(), safeTxHash: hash }),
  query: z.object({ cursor: z.optional(z.string()), limit: z.optional(z.number()) }),
  body: z.object({ value: uint256, origin: z.optional(z.nullable(z.string())) }),
  reply: z.object({ value: uint256 }),
  session: 'none',
  errors: ['NOT_AN_OWNER'],
})

type Seen = { method: string; url: string; headers: Record<string, string>; text: string }
let seen: Seen
/** Next answer of the server. */
let answer: () => Response | Promise<Response>

const app = new Hono().all('*', async (context) => {
  const { req } = context
  const { pathname, search } = new URL(req.url)
  seen = { method: req.method, url: `${pathname}${search}`, headers: req.header(), text: await req.text() }
  return answer()
})

let server: ReturnType<typeof serve>
let baseUrl: string

beforeAll(async () => {
  server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('The test server has no port.')
  baseUrl = `http://127.0.0.1:${bound.port}`
})

afterAll(() => server.close())

beforeEach(() => {
  answer = () => Response.json({ value: '1' })
})

const input = { label: 'a', safeTxHash: HASH, value: 1n }

/** The error that the call ends with. */
async function errorOf(promise: Promise<unknown>): Promise<CountersignError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CountersignError)) throw new Error(`Expected a CountersignError, got ${error}.`)
  return error
}

const failing = (code: string) => Object.assign(new Error(code), { code })

describe('call: the request', () => {
  test('default', async () => {
    await call({ baseUrl, headers: { cookie: 'a=b' } }, echo, { ...input, value: 10n ** 30n, limit: 20 })
    expect(seen.method).toBe('POST')
    expect(seen.url).toBe(`/api/echo/a/${HASH}?limit=20`)
    expect(JSON.parse(seen.text)).toEqual({ value: '1000000000000000000000000000000' })
    expect(seen.headers).toMatchObject({
      cookie: 'a=b',
      accept: 'application/json',
      'content-type': 'application/json',
    })
  })

  test('behavior: a value cannot leave its place in the path or the query', async () => {
    await call({ baseUrl }, echo, { ...input, label: '../x?y=1#z%2F', cursor: 'a&limit=9 +ü' })
    const url = new URL(seen.url, baseUrl)
    expect(url.pathname.split('/')).toEqual(['', 'api', 'echo', '..%2Fx%3Fy%3D1%23z%252F', HASH])
    expect([...url.searchParams]).toEqual([['cursor', 'a&limit=9 +ü']])
  })

  test('behavior: absent fields are left out, null is sent', async () => {
    await call({ baseUrl }, echo, input)
    expect(seen.url).toBe(`/api/echo/a/${HASH}`)
    expect(JSON.parse(seen.text)).toEqual({ value: '1' })
    await call({ baseUrl }, echo, { ...input, origin: null })
    expect(JSON.parse(seen.text)).toEqual({ value: '1', origin: null })
  })

  test('behavior: only what the endpoint names is sent', async () => {
    const more = { ...input, privateKey: '0x01' }
    await call({ baseUrl }, echo, more)
    expect(seen.url + seen.text).not.toContain('0x01')
  })

  test('behavior: without a body there is no content type', async () => {
    answer = () => new Response(null, { status: 204 })
    expect(await call({ baseUrl }, signOut, {})).toBeUndefined()
    expect(seen).toMatchObject({ method: 'DELETE', url: '/api/session', text: '' })
    expect(seen.headers).not.toHaveProperty('content-type')
  })

  test('behavior: a body that is no object is sent as it is', async () => {
    const body = [{ jsonrpc: '2.0' as const, id: 1, method: 'eth_chainId' }]
    await call({ baseUrl }, callNode, { chainId: 31_337, body })
    expect(seen.url).toBe('/api/chains/31337/rpc')
    expect(JSON.parse(seen.text)).toEqual(body)
  })
})

describe('call: the answer', () => {
  test('default', async () => {
    answer = () => Response.json({ value: String((1n << 256n) - 1n) })
    expect(await call({ baseUrl }, echo, input)).toEqual({ value: (1n << 256n) - 1n })
  })

  test.each([
    ['does not fit', () => Response.json({ value: 1 })],
    ['is no JSON', () => new Response('<html>hello</html>')],
    ['is empty', () => new Response(null, { status: 204 })],
  ])('error: INTERNAL when it %s', async (_, reply) => {
    answer = reply
    const error = await errorOf(call({ baseUrl }, echo, input))
    expect(error.code).toBe('INTERNAL')
    expect(error.message).toBe(`The answer to \`POST /api/echo/a/${HASH}\` does not fit its contract.`)
  })

  test('error: the code, sentence and values of a problem document', async () => {
    answer = () =>
      Response.json(
        { code: 'NOT_AN_OWNER', detail: '`0x1` is no owner.', data: { account: '0x1' }, requestId: 'r1', status: 403 },
        { status: 403, headers: { 'content-type': 'application/problem+json' } },
      )
    const error = await errorOf(call({ baseUrl }, echo, input))
    expect(error).toMatchObject({
      code: 'NOT_AN_OWNER',
      message: '`0x1` is no owner.',
      data: { account: '0x1', requestId: 'r1' },
    })
  })

  test.each([
    ["a proxy's page", () => new Response('Bad gateway', { status: 502 })],
    ['a code that nobody knows', () => Response.json({ code: 'NO_SUCH', detail: 'x' }, { status: 502 })],
    ['a code that every object has', () => Response.json({ code: 'toString', detail: 'x' }, { status: 502 })],
    ['null', () => Response.json(null, { status: 502 })],
  ])('error: INTERNAL for a failure that is %s', async (_, reply) => {
    answer = reply
    const error = await errorOf(call({ baseUrl }, echo, input))
    expect(error.code).toBe('INTERNAL')
    expect(error.message).toBe(`\`POST /api/echo/a/${HASH}\` answered 502.`)
  })

  test('error: SERVER_UNREACHABLE when nobody listens', async () => {
    const unused = createServer().listen(0, '127.0.0.1')
    await once(unused, 'listening')
    const bound = unused.address()
    if (bound === null || typeof bound === 'string') throw new Error('No port.')
    await new Promise((resolve) => unused.close(resolve))
    const error = await errorOf(call({ baseUrl: `http://127.0.0.1:${bound.port}` }, echo, input))
    expect(error.code).toBe('SERVER_UNREACHABLE')
    expect(error.cause).toBeDefined()
    expect(error.data).toMatchObject({ reason: 'unsent', operation: `POST /api/echo/a/${HASH}` })
  })

  test.each([
    ['a write', echo, input, 'lost'],
    ['one that deletes', signOut, {}, 'lost'],
    ['one that reads', getSession, {}, 'failed'],
    ['one that reads by POST', callNode, { chainId: 31_337, body: [] }, 'failed'],
  ] as const)(
    'error: SERVER_UNREACHABLE when the answer to %s is lost on its way',
    async (_, endpoint, values, reason) => {
      const cut = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1')
      await once(cut, 'listening')
      const bound = cut.address()
      if (bound === null || typeof bound === 'string') throw new Error('No port.')
      const error = await errorOf(call({ baseUrl: `http://127.0.0.1:${bound.port}` }, endpoint, values as never))
      expect([error.code, error.data.reason]).toEqual(['SERVER_UNREACHABLE', reason])
      cut.close()
    },
  )

  test.each([
    [
      'an answer that ends in the middle',
      () => new Response(new ReadableStream({ pull: (to) => to.error(new Error('cut')) })),
      'lost',
    ],
    ['what a browser throws', () => Promise.reject(new TypeError('Failed to fetch')), 'lost'],
    [
      'a connection that was reset',
      () => Promise.reject(new TypeError('fetch failed', { cause: failing('ECONNRESET') })),
      'lost',
    ],
    ['a time limit', () => Promise.reject(new TypeError('fetch failed', { cause: failing('ETIMEDOUT') })), 'lost'],
    ['a cause that is no error', () => Promise.reject(new TypeError('x', { cause: 'ECONNREFUSED' })), 'lost'],
    ['something that is no error', () => Promise.reject('ECONNREFUSED'), 'lost'],
    ['a refused connection', () => Promise.reject(new TypeError('x', { cause: failing('ECONNREFUSED') })), 'unsent'],
    ['a name that nobody has', () => Promise.reject(new TypeError('x', { cause: failing('ENOTFOUND') })), 'unsent'],
  ] as const)('error: SERVER_UNREACHABLE for a write that met %s', async (_, answered, reason) => {
    const error = await errorOf(call({ baseUrl: '', fetch: async () => answered() }, echo, input))
    expect([error.code, error.data.reason]).toEqual(['SERVER_UNREACHABLE', reason])
  })

  test('behavior: the caller who aborts gets the abort, not an error of ours', async () => {
    const controller = new AbortController()
    answer = async () => {
      controller.abort()
      return Response.json({ value: '1' })
    }
    await expect(call({ baseUrl }, echo, input, controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
