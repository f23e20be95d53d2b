import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fail, streamEvents } from '@countersign/contract'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Deps } from './context.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { aliveRoutes } from './features/alive/routes.ts'
import { bookRoutes } from './features/book/routes.ts'
import { createReadiness } from './features/chains/readiness.ts'
import { chainRoutes } from './features/chains/routes.ts'
import { functionRoutes } from './features/functions/routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { messageRoutes } from './features/messages/routes.ts'
import { policyRoutes } from './features/policy/routes.ts'
import { reviewListRoutes } from './features/review-lists/routes.ts'
import { safeRoutes } from './features/safes/routes.ts'
import { sessionRoutes } from './features/session/routes.ts'
import { teamRoutes } from './features/team/routes.ts'
import { tokenRoutes } from './features/tokens/routes.ts'
import { transactionRoutes } from './features/transactions/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { type Admission, type AdmissionSettings, createAdmission, usualAdmission } from './http/admission.ts'
import { clientAddress } from './http/client-address.ts'
import { mount, type Router } from './http/endpoint.ts'
import { toCountersignError, toProblem } from './http/errors.ts'
import { pathOf, type Refusal } from './http/front.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { writeApiPage, writeOpenApi } from './http/openapi.ts'
import { checkHost, checkOrigin, otherHost } from './http/origin.ts'
import { MAX_BODY_BYTES, saidLength, tooLarge } from './http/receive-body.ts'
import { safeAppHeaders, securityHeaders } from './http/security-headers.ts'
import { knownAs } from './http/seen-browser.ts'
import { createStaticFiles } from './http/static.ts'
import type { Variables } from './http/variables.ts'
import { toLogEntry } from './to-log-entry.ts'
import { mountTxService } from './tx-service/routes.ts'
import { toAnswer } from './tx-service/wire/answers.ts'
import { anyOrigin, isTxServicePath } from './tx-service/wire/service.ts'

/** When to ask again while a part of the product is missing. */
const RETRY_SECONDS = 2
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/** Requests of monitoring, which are answered however much else is asked. */
export function isProbe(path: string): boolean {
  return probes.has(path)
}

type App = Hono<Variables>

/** The whole HTTP side: what is around every request, the features, the web app. `refusalOf` and `knownAs` come before `fetch`. */
export function createApp(
  deps: Deps,
  settings: AdmissionSettings = usualAdmission,
): {
  fetch: App['fetch']
  refusalOf: (incoming: IncomingMessage, network: string, requestId: string) => Refusal | null
  knownAs: (incoming: IncomingMessage) => string | null
} {
  const app: App = new Hono()
  const admission = createAdmission(settings, deps)
  const metrics = createMetrics(deps, admission)
  const headers = securityHeaders(deps.publicUrl, deps.safeHosts, deps.walletConnect?.relayUrl ?? null)
  aroundEveryRequest(app, deps, metrics, headers)

  const router: Router = { app, deps, endpoints: [], admission }
  sessionRoutes(router)
  tokenRoutes(router)
  aliveRoutes(router)
  teamRoutes(router)
  chainRoutes(router)
  safeRoutes(router)
  functionRoutes(router)
  historyRoutes(router)
  transactionRoutes(router)
  bookRoutes(router)
  activityRoutes(router)
  messageRoutes(router)
  policyRoutes(router)
  reviewListRoutes(router)
  webhookRoutes(router)
  mount(router, streamEvents, async (ctx) => ctx.live.open(ctx.viewer), 'streams')
  mountTxService(router)

  const openApi = JSON.stringify(writeOpenApi(router.endpoints, deps.version))
  const apiPage = writeApiPage(router.endpoints, deps.version)
  app.get('/api/openapi.json', (c) => c.body(openApi, 200, { 'content-type': 'application/json' }))
  app.get('/api', (c) => c.html(apiPage))
  app.get('/healthz', (c) => c.text('ok\n'))
  const readiness = createReadiness({ ...deps, db: deps.dbBehind })
  app.get('/readyz', async (c) => {
    const { isReady, ...facts } = await readiness()
    return c.json(facts, isReady ? 200 : 503)
  })
  app.get('/metrics', async (c) => c.text(metrics.write()))

  const staticFiles = deps.webDirectory ? createStaticFiles(deps.webDirectory) : null
  app.on(['GET', 'HEAD'], '*', (c, next) => {
    const file = c.req.path.startsWith('/api/') ? null : staticFiles?.(c.req.raw, c.req.path)
    return file ? Promise.resolve(file) : next()
  })
  app.notFound((c) => problem(c, deps, fail('NOT_FOUND', { method: c.req.method, path: c.req.path })))
  app.onError((error, c) => (error instanceof HTTPException && error.res ? error.res : problem(c, deps, error)))
  const around = { deps, admission, metrics, headers }
  return {
    fetch: app.fetch,
    refusalOf: (incoming, network, requestId) => refusalOf(incoming, network, requestId, around),
    knownAs: ({ headers: sent }) => knownAs({ req: { header: (name) => [sent[name]].flat()[0] } }, deps, admission),
  }
}

/** Refuses a request whose network asks too often; null for one that may pass. */
function refusalOf(
  incoming: IncomingMessage,
  network: string,
  requestId: string,
  {
    deps,
    admission,
    metrics,
    headers,
  }: { deps: Deps; admission: Admission; metrics: Metrics; headers: Record<string, string> },
): Refusal | null {
  const { method = '' } = incoming
  const path = pathOf(incoming)
  if (isProbe(path)) return null
  try {
    admission.admit(network)
    return null
  } catch (thrown) {
    const error = toCountersignError(thrown)
    const document = toProblem(error, requestId)
    const { status } = document
    metrics.count(method, status, 0)
    deps.log.debug({ requestId, method, path, status, milliseconds: 0 }, 'request')
    const wait = { 'retry-after': String(error.data.retryAfterSeconds), 'cache-control': 'no-store' }
    return isTxServicePath(path)
      ? {
          status,
          headers: { ...headers, ...wait, ...anyOrigin, 'content-type': 'application/json' },
          body: JSON.stringify({ detail: error.message }),
        }
      : {
          status,
          headers: { ...headers, ...wait, 'content-type': 'application/problem+json' },
          body: JSON.stringify(document),
        }
  }
}

function aroundEveryRequest(app: App, deps: Deps, metrics: Metrics, headers: Record<string, string>): void {
  app.use(async (c, next) => {
    const start = performance.now()
    c.set('requestId', randomUUID())
    c.set('clientAddress', clientAddress(c.env?.incoming, deps.trustedProxies))
    await next()
    // Returns the bytes that were taken in advance if the answer was not counted: errors and streams.
    c.get('countAnswer')?.(0)
    for (const [name, value] of Object.entries({ ...headers, ...safeAppHeaders(c.req.path) }))
      c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', c.get('requestId'))
    const milliseconds = Math.round(performance.now() - start)
    metrics.count(c.req.method, c.res.status, milliseconds)
    // The path alone: a query may say more than a log should keep. Of a flood that is turned away the metrics tell.
    const line = {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      milliseconds,
    }
    if (isProbe(c.req.path) || c.get('isTurnedAway')) deps.log.debug(line, 'request')
    else deps.log.info(line, 'request')
  })
  app.use(async (c, next) => {
    if (isTxServicePath(c.req.path)) return next()
    const url = new URL(c.req.url)
    const host = c.req.header('host') ?? url.host
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      checkHost(host, deps.publicUrl)
      checkOrigin((name) => c.req.header(name), deps.publicUrl)
      return next()
    }
    const target = isProbe(c.req.path) ? null : otherHost(host, deps.publicUrl, url.pathname + url.search)
    return target ? c.redirect(target, 307) : next()
  })
  app.use((c, next) => {
    // Counting what arrives costs a stream; a length that is given is kept by the HTTP parser.
    if ((saidLength(c) ?? 0) > MAX_BODY_BYTES) throw tooLarge()
    return next()
  })
}

function problem(c: Context<Variables>, deps: Deps, thrown: unknown): Response {
  const error = toCountersignError(thrown)
  const document = toProblem(error, c.get('requestId'))
  const isTurnedAway = error.code === 'OVERLOADED' || error.code === 'RATE_LIMITED'
  c.set('isTurnedAway', isTurnedAway)
  if (document.status >= 500 && !isTurnedAway)
    deps.log.error({ requestId: document.requestId, code: error.code, err: toLogEntry(error) }, 'request failed')
  const wait = error.data.retryAfterSeconds ?? (document.status === 503 ? RETRY_SECONDS : undefined)
  const response = isTxServicePath(c.req.path)
    ? toAnswer(error)
    : new Response(JSON.stringify(document), {
        status: document.status,
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      })
  if (typeof wait === 'number') response.headers.set('retry-after', String(wait))
  return response
}
