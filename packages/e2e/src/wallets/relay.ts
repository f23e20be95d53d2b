import { type WebSocket, WebSocketServer } from 'ws'
import { freePort } from '../product/product.ts'

/** A WalletConnect relay on this machine: it passes on what it cannot read, and keeps what nobody has fetched yet. */
export type Relay = {
  url: string
  /** Methods that clients called, in order. */
  readonly calls: string[]
  /** Takes it away: open connections break, new ones are refused. */
  close(): Promise<void>
  /** Lets nobody in who comes from now on, and sends away who is there: what a relay does with a project id it does not know. */
  refuse(reason: string): void
  /** Brings it back at the same address, with the messages it had kept. */
  open(): Promise<void>
}

type Message = { topic: string; message: string; publishedAt: number; tag: number }
type Client = { id: string; socket: WebSocket }
type Params = Record<string, unknown> & { topic?: string; topics?: string[]; message?: string; tag?: number }

const PING_MS = 20_000
/** The protocol's own number for it. */
const REFUSED = 3000

export async function startRelay(): Promise<Relay> {
  const port = await freePort()
  const calls: string[] = []
  const kept = new Map<string, (Message & { from: string })[]>()
  const subscribers = new Map<string, Set<Client>>()
  let server: WebSocketServer | undefined
  let refusal: string | null = null
  /** Deliveries that wait for the client's answer. What it has answered it is not sent again. */
  const unanswered = new Map<number, { to: string; message: string }>()
  const fetched = new Set<string>()
  let nextId = 1

  function deliver({ id: to, socket }: Client, data: Message): void {
    if (fetched.has(`${to} ${data.message}`)) return
    const id = nextId++
    unanswered.set(id, { to, message: data.message })
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'irn_subscription', params: { id: `${id}`, data } }))
  }
  function subscribe(client: Client, topic: string): string {
    const all = subscribers.get(topic) ?? new Set()
    subscribers.set(topic, all.add(client))
    // A client that was away gets what others sent meanwhile.
    for (const { from, ...message } of kept.get(topic) ?? [])
      if (from !== client.id) setTimeout(() => deliver(client, message))
    return topic
  }
  function publish(from: Client, topic: string, message: string, tag = 0): true {
    const data = { topic, message, publishedAt: Date.now(), tag }
    kept.set(topic, [...(kept.get(topic) ?? []), { ...data, from: from.id }])
    for (const client of subscribers.get(topic) ?? []) if (client !== from) deliver(client, data)
    return true
  }
  function answer(client: Client, method: string, params: Params): unknown {
    const { topic = '', message = '', tag } = params
    switch (method) {
      case 'irn_subscribe':
        return subscribe(client, topic)
      case 'irn_batchSubscribe':
        return (params.topics ?? []).map((topic) => subscribe(client, topic))
      case 'irn_unsubscribe':
        return subscribers.get(topic)?.delete(client) ?? true
      case 'irn_publish':
        return publish(client, topic, message, tag)
      case 'wc_proposeSession':
        subscribe(client, String(params.pairingTopic))
        return publish(client, String(params.pairingTopic), String(params.sessionProposal), 1100)
      case 'wc_approveSession':
        subscribe(client, String(params.sessionTopic))
        publish(client, String(params.pairingTopic), String(params.sessionProposalResponse), 1101)
        return publish(client, String(params.sessionTopic), String(params.sessionSettlementRequest), 1102)
      default:
        throw new Error(`The relay does not know \`${method}\`.`)
    }
  }
  function onConnection(socket: WebSocket, url: string): void {
    if (refusal) {
      socket.close(REFUSED, refusal)
      return
    }
    const client = { id: clientIdOf(url), socket }
    const ping = setInterval(() => socket.ping(), PING_MS)
    socket.on('message', (text) => {
      const { id, method, params } = JSON.parse(String(text)) as { id: number; method?: string; params?: Params }
      if (!method) {
        const delivered = unanswered.get(id)
        if (delivered) fetched.add(`${delivered.to} ${delivered.message}`)
        unanswered.delete(id)
        return
      }
      calls.push(method)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(client, method, params ?? {}) }))
    })
    socket.on('close', () => {
      clearInterval(ping)
      for (const all of subscribers.values()) all.delete(client)
    })
  }

  function refuse(reason: string): void {
    refusal = reason
    for (const socket of server?.clients ?? []) socket.close(REFUSED, reason)
  }
  async function open(): Promise<void> {
    refusal = null
    if (server) return
    const opening = new WebSocketServer({ host: '127.0.0.1', port })
    opening.on('connection', (socket, { url = '' }) => onConnection(socket, url))
    await new Promise<void>((resolve, reject) => opening.once('listening', resolve).once('error', reject))
    server = opening
  }
  async function close(): Promise<void> {
    const closing = server
    server = undefined
    for (const socket of closing?.clients ?? []) socket.terminate()
    await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()))
  }
  await open()
  return { url: `ws://127.0.0.1:${port}`, calls, open, close, refuse }
}

/** A client signs in with a token whose issuer is its key: so it is known again after a reload. */
function clientIdOf(url: string): string {
  const token = new URL(url, 'ws://relay').searchParams.get('auth') ?? ''
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
  return typeof claims === 'object' && claims !== null && 'iss' in claims ? String(claims.iss) : ''
}
