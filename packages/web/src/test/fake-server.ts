import * as contract from '@countersign/contract'
import {
  callNode,
  type Endpoint,
  type ErrorCode,
  getConfiguration,
  getSession,
  type Input,
  prepareSignIn,
  type Reply,
  type Session,
  SIGN_IN_STATEMENT,
  signIn,
  signOut,
  toWire,
} from '@countersign/contract'
import type { Address } from 'viem'
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from 'viem/siwe'
import { verifyMessage } from 'viem/utils'
import { serverNow } from '../device/server-time.ts'
import { configuration } from './configuration.ts'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>
/** An answer that is an error of the catalogue. */
type Failure = { code: ErrorCode; data: Record<string, unknown>; status: number }
type Handler = (input: never) => unknown
type Asked = { endpoint: AnyEndpoint; input: unknown }

/** A server that answers what a test tells it to. Configuration and signing in work from the start. */
export type FakeServer = {
  /** The account that is signed in; tests may set it before the page opens. */
  session: Session | null
  /** Answers an endpoint, from now on. */
  answer<E extends AnyEndpoint>(
    endpoint: E,
    reply: Reply<E> | ((input: Input<E>) => Reply<E> | Failure | Promise<Reply<E> | Failure>),
  ): void
  /** Answers an endpoint with an error, from now on. */
  fail(endpoint: AnyEndpoint, code: ErrorCode, data?: Record<string, unknown>, status?: number): void
  /** Takes back the last answer that was given for an endpoint. */
  restore(endpoint: AnyEndpoint): void
  /** Keeps answers of an endpoint until the function that it returns is called. */
  hold(endpoint: AnyEndpoint): () => void
  /** Answers a method of the chain's node. What has no answer is an error of the node. */
  node(method: string, result: (params: unknown[]) => unknown): void
  /** Inputs with which an endpoint was called, in order. */
  asked<E extends AnyEndpoint>(endpoint: E): Input<E>[]
  /** Names of all endpoints that were called and have no answer. */
  readonly unanswered: ReadonlySet<string>
  /** Cuts the server off, or brings it back. */
  isAway: boolean
  fetch: typeof fetch
}

const endpoints = Object.values(contract)
  .filter((value): value is AnyEndpoint => typeof value === 'object' && value !== null && 'path' in value)
  // A path without parameters is meant before one that it fits, too.
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

export function failure(code: ErrorCode, data: Record<string, unknown> = {}, status = 400): Failure {
  return { code, data, status }
}

export function sessionOf(address: Address, chainId: number, provenBy: Session['provenBy'] = 'key'): Session {
  const [createdAt, expiresAt] = [0, 86_400_000].map((later) => new Date(serverNow() + later).toISOString())
  return { address, chainId, provenBy, createdAt: String(createdAt), expiresAt: String(expiresAt) }
}

export function createFakeServer(): FakeServer {
  const handlers = new Map<string, Handler[]>()
  const held = new Map<string, Promise<void>>()
  const nodeMethods = new Map<string, (params: unknown[]) => unknown>()
  const asked: Asked[] = []
  const unanswered = new Set<string>()
  const ask = globalThis.fetch

  const server: FakeServer = {
    session: null,
    answer: (endpoint, reply) => {
      const handler = typeof reply === 'function' ? (reply as Handler) : () => reply
      handlers.set(endpoint.name, [...(handlers.get(endpoint.name) ?? []), handler])
    },
    fail: (endpoint, code, data, status) => server.answer(endpoint, () => failure(code, data, status) as never),
    restore: ({ name }) => void handlers.get(name)?.pop(),
    hold: ({ name }) => {
      let release = () => {}
      held.set(name, new Promise((resolve) => (release = resolve)))
      return () => {
        held.delete(name)
        release()
      }
    },
    node: (method, result) => void nodeMethods.set(method, result),
    asked: (endpoint) => asked.filter((one) => one.endpoint === endpoint).map(({ input }) => input as never),
    unanswered,
    isAway: false,
    fetch: async (url, init = {}) => {
      const { origin, pathname, searchParams } = new URL(String(url), location.href)
      // The devnet's node. Only the test and its wallets use it.
      if (origin !== location.origin) return ask(url, init)
      if (server.isAway) throw new TypeError('Failed to fetch')
      if (!pathname.startsWith('/api/')) return new Response('')
      const { method = 'GET', body, signal } = init
      const match = endpoints.find((one) => one.method === method && patternOf(one).test(pathname))
      if (!match) throw new Error(`No endpoint is ${method} ${pathname}.`)
      let input: unknown
      try {
        input = inputOf(match, pathname, searchParams, body ? JSON.parse(String(body)) : {})
      } catch {
        return problem(failure('INVALID_REQUEST', { reason: 'json', errors: [] }))
      }
      asked.push({ endpoint: match, input })
      await held.get(match.name)
      signal?.throwIfAborted()
      const handler = handlers.get(match.name)?.at(-1)
      if (!handler) {
        unanswered.add(match.name)
        return problem(failure('INTERNAL', {}, 500))
      }
      const reply: unknown = await handler(input as never)
      if (isFailure(reply)) return problem(reply)
      return reply === undefined ? new Response(null, { status: 204 }) : Response.json(toWire(reply))
    },
  }
  server.answer(callNode, ({ body }) => {
    const answerOne = ({ id, method, params }: { id: unknown; method: string; params?: unknown[] | undefined }) => {
      const result = nodeMethods.get(method)
      if (!result) return { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } }
      return { jsonrpc: '2.0', id, result: result(params ?? []) }
    }
    return Array.isArray(body) ? body.map(answerOne) : answerOne(body)
  })
  server.answer(getConfiguration, configuration)
  answerSignIn(server)
  return server
}

/** Signing in as the server does it: a message of its own, used once, signed by the account that it names. */
function answerSignIn(server: FakeServer): void {
  const messages = new Set<string>()
  server.answer(getSession, () => ({ session: server.session }))
  server.answer(signOut, () => {
    server.session = null
    return undefined
  })
  server.answer(prepareSignIn, ({ address, chainId }) => {
    const { host: domain, origin: uri } = location
    const message = createSiweMessage({
      address,
      chainId,
      domain,
      uri,
      version: '1',
      nonce: generateSiweNonce(),
      statement: SIGN_IN_STATEMENT,
    })
    messages.add(message)
    return { message, expiresAt: sessionOf(address, chainId).expiresAt }
  })
  server.answer(signIn, (async ({ message, signature }: Input<typeof signIn>) => {
    if (!messages.delete(message)) return failure('SIWE_NONCE_UNKNOWN', {}, 401)
    const { address, chainId } = parseSiweMessage(message)
    if (!address || !chainId) return failure('SIWE_MESSAGE_MALFORMED', {}, 401)
    const isSigned = await verifyMessage({ address, message, signature: signature as `0x${string}` }).catch(() => false)
    if (!isSigned) return failure('SIWE_SIGNATURE_INVALID', { address }, 401)
    server.session = sessionOf(address, chainId)
    return { session: server.session }
  }) as never)
}

function patternOf({ path }: AnyEndpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
}

/** Reads a request by the schemas of its endpoint: a test sees the types that a verb sees. */
function inputOf(endpoint: AnyEndpoint, pathname: string, query: URLSearchParams, body: object): unknown {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = patternOf(endpoint).exec(pathname)?.slice(1) ?? []
  const params = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
  const read = endpoint.body?.parse(body)
  return {
    ...endpoint.params?.parse(params),
    ...endpoint.query?.parse(Object.fromEntries(query)),
    ...(endpoint.body && 'shape' in endpoint.body ? read : endpoint.body && { body: read }),
  }
}

function isFailure(reply: unknown): reply is Failure {
  return typeof reply === 'object' && reply !== null && 'code' in reply && 'status' in reply
}

function problem({ code, data, status }: Failure): Response {
  return Response.json({ code, detail: code, data, requestId: crypto.randomUUID() }, { status })
}
