import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from './client-address.ts'
import { clientNetwork } from './rate-limit.ts'
import { createRequestTurns } from './turns.ts'
import { createUnsent } from './unsent.ts'

/** Slower clients are cut off while they send headers or a body. */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const CHECK_MS = 2_000
/**
 * Idle time after which a connection ends, for example if a client does not read its response or download. Live
 * streams send more often than this.
 */
const SILENT_MS = 60_000
/** Open connections of one network: a team behind one address, with its live streams, has room in it. */
const MAX_CONNECTIONS = 2_000

/** Requests of one connection that are not answered yet: browsers and proxies send one after the other. */
const MAX_PIPELINED = 16

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** Answer to a request that is turned away before anything is made of it. */
export type Refusal = { status: number; headers: Record<string, string>; body: string }

/**
 * Shortest delay of a refusal. Without it, a client that sends a request after each refusal keeps the event loop busy with
 * refusals alone. The longest delay is twice as long. It varies so that requests that were refused together are not followed by
 * requests that arrive together.
 */
export const REFUSAL_DELAY_MS = 250
/** Above this, refusals are sent at once: delayed ones take memory. Much more than the connections of one network. */
const MAX_DELAYED = 10_000
/** `RATE_LIMITED` and `OVERLOADED`. */
const DELAYED_STATUSES = [429, 503]

let delayed = 0

/**
 * Time for which the server still reads from a client that sends a body after it was refused. A connection that is closed with
 * unread data is reset, and the client can lose the answer (RFC 9112, 9.6).
 */
const LINGER_MS = 5_000

/** Emits `answered` when its answer is complete: on its way, or waiting for a client to read. */
class DelayedResponse extends ServerResponse {
  override writeHead(...given: unknown[]): this {
    if (hasUnreadBody(this.req)) {
      this.shouldKeepAlive = false
      closeInStages(this.req)
    }
    return super.writeHead(...(given as [number]))
  }

  override end(...given: unknown[]): this {
    const finish = () => {
      super.end(...(given as []))
      this.emit('answered')
    }
    const isRefusal = DELAYED_STATUSES.includes(this.statusCode) || hasUnreadBody(this.req)
    if (!isRefusal || delayed >= MAX_DELAYED) finish()
    else {
      delayed += 1
      setTimeout(
        () => {
          delayed -= 1
          finish()
        },
        REFUSAL_DELAY_MS * (1 + Math.random()),
      )
    }
    return this
  }
}

/** When a connection ends, closes the sending side first and discards incoming data for LINGER_MS. */
function closeInStages(incoming: IncomingMessage): void {
  const { socket } = incoming
  socket.destroySoon = () => {
    if (socket.writableEnded) return
    socket.end()
    // A request handler that stopped reading could pause the socket again.
    incoming.removeAllListeners('data').resume()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer))
  }
}

/** Whether a request is answered before its body was received. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
}

/**
 * The HTTP server itself. A request that is turned away costs a fraction of one that goes through the app.
 */
export function createFront({
  refusalOf,
  knownAs,
  isProbe,
  listener,
  trustedProxies,
}: {
  /** Null: the request may go on. */
  refusalOf: (incoming: IncomingMessage, network: string, requestId: string) => Refusal | null
  /** Returns the known account of a request, from memory only. Null for a stranger. */
  knownAs: (incoming: IncomingMessage) => string | null
  /** Such a request does not wait for its turn. */
  isProbe: (path: string) => boolean
  listener: Listener
  /** Proxies that carry the connections of many clients. They have no connection limit. */
  trustedProxies: readonly string[]
}): Server {
  const turns = createRequestTurns()
  const unsent = createUnsent()
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      ServerResponse: DelayedResponse,
      // Probes of load balancers may send no Host header. Other requests without one are refused below.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      // No answer could be sent to a request that follows a refused one while the connection closes.
      if (incoming.socket.writableEnded || isPipelinedTooFar(incoming, outgoing)) return
      // The answer to a probe is the same for every host.
      if (isProbe(pathOf(incoming))) incoming.headers.host = 'localhost'
      else if (incoming.headers.host === undefined) {
        outgoing.writeHead(400, { connection: 'close', 'content-length': 0 })
        return void outgoing.end()
      }
      const requestId = randomUUID()
      const network = clientNetwork(clientAddress(incoming, trustedProxies))
      outgoing.once('answered', () => unsent.add(network, outgoing))
      const refusal = refusalOf(incoming, network, requestId)
      if (!refusal) {
        const begin = () => void listener(incoming, outgoing)
        return isProbe(pathOf(incoming)) ? begin() : turns.take({ network, account: knownAs(incoming) }, begin)
      }
      const { status, headers, body } = refusal
      outgoing.writeHead(status, {
        ...headers,
        'content-length': Buffer.byteLength(body),
        'x-request-id': requestId,
      })
      outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    },
  )
  server.timeout = SILENT_MS
  server.on('connection', turns.connected)
  limitConnections(server, trustedProxies)
  return server
}

/** The path that a request asks for, without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** Unanswered requests of each connection. A thousand requests in one packet would begin before other clients are served. */
const unanswered = new WeakMap<Socket, number>()

/** Ends a connection with too many unanswered requests, and returns true if it has ended. */
function isPipelinedTooFar({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  if (socket.destroyed) return true
  const count = (unanswered.get(socket) ?? 0) + 1
  unanswered.set(socket, count)
  outgoing.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
  if (count > MAX_PIPELINED) socket.destroy()
  return count > MAX_PIPELINED
}

/** Limits the connections of each network, so that none can use all that the process may open. */
function limitConnections(server: Server, trusted: readonly string[]): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    if (trusted.includes(address)) return
    const network = clientNetwork(address)
    const count = open.get(network) ?? 0
    if (count >= MAX_CONNECTIONS) return void socket.destroy()
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
