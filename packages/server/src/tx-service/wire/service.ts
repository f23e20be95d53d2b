import { fail, type TokenScope } from '@countersign/contract'
import type { Context, Hono } from 'hono'
import type { Deps } from '../../context.ts'
import { parseApiToken, requireScope } from '../../http/api-token.ts'
import type { Router } from '../../http/endpoint.ts'
import { entityTag, isKnownTag } from '../../http/etag.ts'
import { isDeeperThan, MAX_JSON_DEPTH } from '../../http/json-depth.ts'
import { hashToken } from '../../http/random-token.ts'
import { clientNetwork } from '../../http/rate-limit.ts'
import { receiveBody } from '../../http/receive-body.ts'
import type { Variables } from '../../http/variables.ts'
import { whenClientLeaves } from '../../proxy/when-client-leaves.ts'
import { type Chain, type Chains, chainOf } from '../../rpc/clients.ts'
import { chainsOfOneRequest } from '../../rpc/one-request.ts'
import type { Client } from '../../rpc/places.ts'
import type { Viewer } from '../../safes/viewer.ts'
import { type Work, workOf } from '../../workload/work.ts'
import { answer, refuse, refuseDetail, unauthorized } from './answers.ts'
import { findCaller } from './caller.ts'

/*
 * The wire format of the Safe Transaction Service, as a second transport: docs/tx-service.md lists its routes.
 *
 * A route is one line in the file of its group: `read` for what only reads (whatever its method), `write` for what
 * changes something and so needs an account. Who asks shows an API token, which needs the scope that is named; a cookie
 * counts for nothing here. Paths are as after `/api`, without the last slash; both forms are served. A handler gets a
 * `Call` and answers a value (200), or a `Response` of `answers.ts` (`answer(201)`). What it refuses it throws from
 * there: `refuseFields`, `refuseTogether`, `refuseCode`, `notFound`, `refuse(404)` for the empty one. Errors of verbs pass
 * through `toAnswer`; catch the codes that mean something else on this wire. `call.params` and `call.query` are text:
 * `fields.ts` parses them with the texts that clients know; `body-fields.ts` does it for `readBody(call)`. Who may see
 * what is SQL: `visibility.ts`. Lists: `page.ts`. Dates and the like: `wire.ts`. Tests: `test/tx-client.ts`.
 */

const BASE = '/tx-service/:chainId/api'

type HttpContext = Context<Variables>

/** One request. */
export type Call = {
  deps: Deps
  c: HttpContext
  chainId: number
  chain: Chain
  /** Null: anybody, where the operator made reading public. */
  viewer: Viewer | null
  isPublic: boolean
  work: Work
  /** Charges the caller for work of nodes. @throws CountersignError `RATE_LIMITED` */
  payNode: (cost: number) => void
  params: (name: string) => string
  query: URLSearchParams
}

/** A request of an account that is known. */
export type CallOfViewer = Call & { viewer: Viewer }

type Method = 'GET' | 'POST' | 'DELETE'

type Read = (method: Method, path: string, handle: (call: Call) => Promise<unknown>, etag?: 'weak') => void

export type TxService = {
  read: Read
  /** A read that asks the chain's node: one that hangs keeps no other read waiting. */
  ask: Read
  write: (method: Method, path: string, scope: TokenScope, handle: (call: CallOfViewer) => Promise<unknown>) => void
}

/** Whether a request is for this transport: it may come from any origin, and under any name of the host. */
export function isTxServicePath(path: string): boolean {
  return path.startsWith('/tx-service/')
}

/** @returns where the groups hang their routes, and what closes it: whatever is not there answers in its shape too. */
export function createTxService({ app, deps, admission }: Pick<Router, 'app' | 'deps' | 'admission'>): {
  service: TxService
  close: () => void
} {
  const paths = new Set<string>()
  allowEveryOrigin(app)

  function add(method: Method, path: string, handle: (c: HttpContext) => Promise<unknown>, etag?: 'weak'): void {
    const full = `${BASE}${path.replace(/\{(\w+)\}/g, ':$1')}`
    paths.add(full)
    app.on(method, [full, `${full}/`], async (c) => {
      const found = await handle(c)
      const response = found instanceof Response ? found : answer(200, found)
      if (response.status !== 200) return response
      const body = await response.text()
      c.get('countAnswer')?.(body.length)
      return method === 'GET' ? withEtag(c, response.headers, body, etag) : new Response(body, response)
    })
  }

  const reading =
    (lane: 'reads' | 'node'): Read =>
    (method, path, handle, etag) => {
      const answerAtItsTurn = async (c: HttpContext) => {
        const call = await readCall(c, deps, admission, 'reads')
        const network = clientNetwork(c.get('clientAddress'))
        if (!call.viewer && !call.isPublic) return unauthorized('Authentication credentials were not provided.')
        if (call.viewer) requireScope(call.viewer, 'read')
        else admission.take('reads', network)
        const key = call.viewer?.address ?? network
        await receiveBody(c, admission, key)
        const left = lane === 'node' ? whenClientLeaves(c) : undefined
        const work = () => {
          c.set('countAnswer', admission.beginAnswer(key, path))
          return handle(atItsTurn(call, { key, signal: left }))
        }
        return admission.run(lane, key, work, String(call.chainId), left)
      }
      add(method, path, answerAtItsTurn, etag)
    }

  return {
    service: {
      read: reading('reads'),
      ask: reading('node'),
      write: (method, path, scope, handle) =>
        add(method, path, async (c) => {
          const call = await readCall(c, deps, admission, 'writes')
          const { viewer } = call
          if (!viewer) return unauthorized('Authentication credentials were not provided.')
          requireScope(viewer, scope)
          await receiveBody(c, admission, viewer.address)
          const write = () => handle({ ...atItsTurn(call, { key: viewer.address }), viewer })
          return admission.run('writes', viewer.address, write, String(call.chainId))
        }),
    },
    close() {
      for (const path of paths)
        app
          .all(path, (c) => refuseDetail(405, `Method "${c.req.method}" not allowed.`))
          .all(`${path}/`, (c) => refuseDetail(405, `Method "${c.req.method}" not allowed.`))
      app.all('/tx-service/*', () => refuseDetail(404, 'Not found.'))
    },
  }
}

async function readCall(
  c: HttpContext,
  deps: Deps,
  admission: Router['admission'],
  kind: 'reads' | 'writes',
): Promise<Call> {
  const text = c.req.param('chainId') ?? ''
  const chain = /^[1-9]\d{0,15}$/.test(text) ? deps.chains.get(Number(text)) : undefined
  if (!chain) return refuseDetail(404, 'Not found.')
  const { chainId, txService } = chain.settings
  const token = parseApiToken(c.req.header('authorization'))
  const network = clientNetwork(c.get('clientAddress'))
  const find = () => findCaller(c, deps, chainId)
  const viewer = await admission.find(token === null ? [] : [hashToken(token)], network, kind, find)
  const client = viewer?.address ?? network
  return {
    deps,
    c,
    chainId,
    chain,
    viewer,
    work: workOf(admission, client),
    payNode: (cost) => admission.take('nodeWork', client, cost),
    isPublic: txService?.publicReads ?? false,
    params: (name) => c.req.param(name) ?? '',
    query: new URL(c.req.url).searchParams,
  }
}

/** From now on it waits for nodes. */
function atItsTurn(call: Call, client: Client): Call {
  const chains = onlyDeployed(chainsOfOneRequest(call.deps.chains, client))
  return { ...call, deps: { ...call.deps, chains }, chain: chainOf(chains, call.chainId) }
}

/** The Transaction Service knows no Safe before it is on the chain. */
function onlyDeployed(chains: Chains): Chains {
  return new Map(
    Array.from(chains, ([chainId, chain]) => {
      const readSafe: Chain['readSafe'] = async (...given) => {
        const state = await chain.readSafe(...given)
        if (state.creation) throw fail('NOT_A_SAFE', { address: state.address, chainId })
        return state
      }
      return [chainId, { ...chain, readSafe }]
    }),
  )
}

/** No cookie crosses origins with this: it is allowed for all, and so not with credentials. */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag',
  vary: 'authorization',
}

function allowEveryOrigin(app: Hono<Variables>): void {
  app.use('/tx-service/*', async (c, next) => {
    if (c.req.method === 'OPTIONS') c.res = answer(204)
    else await next()
    for (const [name, value] of Object.entries(anyOrigin)) c.res.headers.set(name, value)
    if (c.req.method !== 'OPTIONS') return
    c.res.headers.set('access-control-allow-methods', 'GET, HEAD, POST, DELETE, OPTIONS')
    c.res.headers.set(
      'access-control-allow-headers',
      'accept, authorization, content-type, if-match, if-none-match, if-modified-since',
    )
    c.res.headers.set('access-control-max-age', '600')
  })
}

function withEtag(c: HttpContext, given: Headers, body: string, kind: 'weak' | undefined): Response {
  const tag = entityTag(body)
  const headers = new Headers(given)
  headers.set('etag', kind === 'weak' ? `W/${tag}` : tag)
  if (!isKnownTag(tag, c.req.header('if-none-match'))) return new Response(body, { status: 200, headers })
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}

/**
 * The body as an object, its own keys in camel case whichever way the client writes them. What stands inside the values
 * is left as it is: typed data has keys of its own.
 */
export async function readBody({ c }: Pick<Call, 'c'>): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  const type = c.req.header('content-type')
  if (type !== undefined && type.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    refuseDetail(415, `Unsupported media type "${type}" in request.`)
  const body = text.trim() === '' ? {} : parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(400, {
      nonFieldErrors: [`Invalid data. Expected a dictionary, but got ${Array.isArray(body) ? 'list' : typeof body}.`],
    })
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [toCamel(key), value]))
}

function parseJson(text: string): unknown {
  // PostgreSQL has no text with this character.
  if (text.includes('\\u0000')) refuseDetail(400, 'JSON parse error - Null characters are not allowed')
  if (isDeeperThan(text, MAX_JSON_DEPTH))
    refuseDetail(400, `JSON parse error - Nested deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    return JSON.parse(keepLargeIntegers(text))
  } catch (error) {
    return refuseDetail(400, `JSON parse error - ${error instanceof Error ? error.message : 'not JSON'}`)
  }
}

/**
 * Clients in Python write wei as numbers: those that a number of JavaScript cannot hold become text, in strings nothing. A string
 * without an end is looked through once: from each of its quotation marks anew, a body of a megabyte would take half an hour.
 */
function keepLargeIntegers(json: string): string {
  return json.replace(/"(?:[^"\\]+|\\[\s\S]?)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  )
}

function toCamel(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
