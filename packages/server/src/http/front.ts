import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './rate-limit.ts'

/** Slower clients are cut off while they send headers or a body. */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const CHECK_MS = 2_000
/** Open connections of one network: a team behind one address, with its live streams, has room in it. */
const MAX_CONNECTIONS = 2_000

/** Requests of one connection that are not answered yet: browsers and proxies send one after the other. */
const MAX_PIPELINED = 16

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** Answer to a request that is turned away before anything is made of it. */
export type Refusal = { status: number; headers: Record<string, string>; body: string }

/**
 * The HTTP server itself. A request that is turned away costs a fraction of one that goes through the app.
 */
export function createFront({
  refusalOf,
  listener,
  trustedProxies,
}: {
  /** Null: the request may go on. */
  refusalOf: (incoming: IncomingMessage, requestId: string) => Refusal | null
  listener: Listener
  /** These bring the connections of everybody. */
  trustedProxies: readonly string[]
}): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    (incoming, outgoing) => {
      if (isPipelinedTooFar(incoming, outgoing)) return
      const requestId = randomUUID()
      const refusal = refusalOf(incoming, requestId)
      if (!refusal) return void listener(incoming, outgoing)
      const { status, headers, body } = refusal
      outgoing.writeHead(status, {
        ...headers,
        'content-length': Buffer.byteLength(body),
        'x-request-id': requestId,
      })
      outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    },
  )
  limitConnections(server, trustedProxies)
  return server
}

/** A thousand requests of one packet would all begin before anybody else is heard. */
const unanswered = new WeakMap<Socket, number>()

/** Ends such a connection. */
function isPipelinedTooFar({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  if (socket.destroyed) return true
  const count = (unanswered.get(socket) ?? 0) + 1
  unanswered.set(socket, count)
  outgoing.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
  if (count > MAX_PIPELINED) socket.destroy()
  return count > MAX_PIPELINED
}

/** Nobody alone keeps all the connections that a process can have. */
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
