import { type Endpoint, errorsOf, fail, type Input, type Reply, scopeOf, writeWire } from '@countersign/contract'
import type { Context, Hono } from 'hono'
import type { Ctx, Deps, SignedInCtx } from '../context.ts'
import { whenClientLeaves } from '../proxy/when-client-leaves.ts'
import { chainsOfOneRequest } from '../rpc/one-request.ts'
import type { Client } from '../rpc/places.ts'
import { isProvenOn, type Viewer } from '../safes/viewer.ts'
import { workOf } from '../workload/work.ts'
import type { Admission, Kind } from './admission.ts'
import { requireScope } from './api-token.ts'
import { toCountersignError } from './errors.ts'
import { entityTag, isKnownTag } from './etag.ts'
import { clientNetwork } from './rate-limit.ts'
import { type Params, readInput, readParams } from './read-input.ts'
import { isShortBody, receiveBody, saidLength } from './receive-body.ts'
import { seenNames } from './seen-browser.ts'
import { requireViewer, shownHashes } from './session.ts'
import type { Variables } from './variables.ts'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
export type AnyEndpoint = Endpoint<any, any, any, any>
type HttpContext = Context<Variables>

/** Where features hang their endpoints. What is mounted is what OpenAPI lists. */
export type Router = {
  app: Hono<Variables>
  deps: Deps
  admission: Admission
  endpoints: AnyEndpoint[]
}

/**
 * Mounts an operation that needs a session. `kind` overrides the class that the method implies. `refuse` throws errors that path
 * and length are enough to find, before a long body is received. Its length is null if the request does not state it.
 */
export function mount<E extends AnyEndpoint>(
  router: Router,
  endpoint: E,
  handle: (ctx: SignedInCtx, input: Input<E>, c: HttpContext) => Promise<Reply<E> | Response>,
  kind: Kind = endpoint.method === 'GET' ? 'reads' : 'writes',
  refuse?: (ctx: SignedInCtx, params: Params<E>, length: number | null) => Promise<void>,
): void {
  if (endpoint.session !== 'required') throw new Error(`${endpoint.name} needs no session: mountPublic it`)
  add(router, endpoint, async (c) => {
    const { deps, admission } = router
    const network = clientNetwork(c.get('clientAddress'))
    const viewer: Viewer = await admission.find(
      shownHashes(c, deps),
      network,
      kind,
      () => requireViewer(c, deps),
      () => seenNames(c, deps),
    )
    requireScope(viewer, scopeOf(endpoint))
    const chain = c.req.param('chainId') ?? 'none'
    const ctx = (signal?: AbortSignal) => ({ ...ctxOf(c, router, { key: viewer.address, signal }), viewer })
    if (refuse && !isShortBody(c)) {
      const look = () => refuse(ctx(), readParams(endpoint, c), saidLength(c))
      await admission.run(kind, viewer.address, look, chain)
    }
    if (endpoint.body) await receiveBody(c, admission, viewer.address)
    // A request that waits for a node is cancelled when its client leaves. A write that has begun continues.
    const left = kind === 'node' ? whenClientLeaves(c) : undefined
    const work = async () => {
      // Counted at its turn, so that of many concurrent requests each is counted after those before it.
      if (endpoint.method === 'GET') c.set('countAnswer', admission.beginAnswer(viewer.address, endpoint.name))
      const input = await readInput(endpoint, c)
      if (!endpoint.anyChain) requireProvenOn(viewer, input)
      return handle(ctx(left), input, c)
    }
    // Those whose path names no chain are one kind more.
    return admission.run(kind, viewer.address, work, chain, left)
  })
}

function requireProvenOn(viewer: Viewer, input: { chainId?: unknown }): void {
  if (input.chainId === undefined || isProvenOn(viewer, input.chainId)) return
  const { address, chainId } = viewer
  throw fail('ACCOUNT_ON_OTHER_CHAIN', { address, verifiedOn: chainId, chainId: Number(input.chainId) })
}

/** Mounts an operation for anybody. */
export function mountPublic<E extends AnyEndpoint>(
  router: Router,
  endpoint: E,
  handle: (ctx: Ctx, input: Input<E>, c: HttpContext) => Promise<Reply<E> | Response>,
): void {
  if (endpoint.session !== 'none') throw new Error(`${endpoint.name} needs a session: mount it`)
  add(router, endpoint, async (c) => {
    const network = clientNetwork(c.get('clientAddress'))
    const kind = endpoint.method === 'GET' ? 'reads' : 'signIn'
    const { lane, client } = router.admission.takeOfVisitor(kind, network, () => seenNames(c, router.deps))
    if (endpoint.body) await receiveBody(c, router.admission, client)
    return router.admission.run(lane, client, async () =>
      handle({ ...ctxOf(c, router, { key: client }), viewer: null }, await readInput(endpoint, c), c),
    )
  })
}

/** Gives the verb its context, once the request's turn has come. */
function ctxOf(c: HttpContext, { deps, admission }: Router, client: Client): Omit<Ctx, 'viewer'> {
  const work = workOf(admission, client.key)
  return { ...deps, chains: chainsOfOneRequest(deps.chains, client), requestId: c.get('requestId'), work }
}

function add(router: Router, endpoint: AnyEndpoint, answer: (c: HttpContext) => Promise<unknown>): void {
  const declared = new Set(errorsOf(endpoint))
  router.endpoints.push(endpoint)
  router.app.on(endpoint.method, endpoint.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
    const reply = await answer(c).catch((error: unknown) => {
      const { code } = toCountersignError(error)
      if (!declared.has(code)) router.deps.log.error({ endpoint: endpoint.name, code }, UNDECLARED)
      throw error
    })
    if (reply instanceof Response) return reply
    c.header('cache-control', 'no-store')
    if (!endpoint.reply) return c.body(null, 204)
    const body = writeWire(reply)
    c.get('countAnswer')?.(body.length)
    if (endpoint.method === 'GET') {
      const tag = entityTag(body)
      c.header('etag', `W/${tag}`)
      if (isKnownTag(tag, c.req.header('if-none-match'))) return c.body(null, 304)
    }
    return c.body(body, 200, { 'content-type': 'application/json' })
  })
}

/** The API's description is wrong: a program that trusts it has not expected this. */
export const UNDECLARED = 'an error that the operation does not declare'
