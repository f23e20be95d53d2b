import { createServer, request, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../test/test-server.ts'
import { createFront } from './front.ts'
import { createUnsent } from './unsent.ts'

const ANSWER = Buffer.alloc(4 * 1024 * 1024, 'x')
const CONNECTIONS = 40
const PIPELINED = 4
/** As many as 32 MB hold, and one that is being written. */
const KEPT = 32 / 4 + 1

let front: ReturnType<typeof createFront>
let port: number
const sockets: Socket[] = []

beforeEach(async () => {
  front = createFront({
    refusalOf: () => null,
    knownAs: () => null,
    isProbe: () => false,
    listener: (_, outgoing) => void outgoing.end(ANSWER),
    trustedProxies: ['127.0.0.1'],
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  port = (front.address() as AddressInfo).port
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => front.close(resolve))
})

/** Asks for long answers on one connection, and reads nothing. */
function askWithoutReading(from: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n\r\n`.repeat(PIPELINED))
  sockets.push(socket)
  return socket
}

const countOpen = () => new Promise<number>((resolve) => front.getConnections((_, count) => resolve(count)))

function read(from: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, headers: { 'x-forwarded-for': from }, agent: false }, async (response) => {
      const chunks = await response.toArray().catch(reject)
      resolve(Buffer.concat(chunks ?? []).length)
    })
      .on('error', reject)
      .end()
  })
}

describe('answers that nobody reads', () => {
  test('behavior: of one network end with their connections, and who reads gets a whole one', async () => {
    let accepted = 0
    front.on('connection', () => {
      accepted += 1
    })
    for (let at = 0; at < CONNECTIONS; at += 1) askWithoutReading('192.0.2.1')
    await eventually(async () => accepted === CONNECTIONS && (await countOpen()) <= KEPT)
    expect(await read('192.0.2.1')).toBe(ANSWER.length)
    expect(await read('192.0.2.2')).toBe(ANSWER.length)
  })

  test('behavior: of many networks end as well, the longest waiting first', async () => {
    const unsent = createUnsent(ANSWER.length * 2, ANSWER.length * 3)
    const ended: string[] = []
    const server = createServer((incoming, outgoing) => {
      const name = incoming.url ?? ''
      incoming.socket.once('close', () => ended.push(name))
      // As an answer of which nothing could be written.
      const waiting = new ServerResponse(incoming)
      Object.defineProperty(waiting, 'writableLength', { value: ANSWER.length })
      unsent.add(name, waiting)
      outgoing.writeHead(200).flushHeaders()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port: at } = server.address() as AddressInfo
    for (const name of ['/1', '/2', '/3', '/4', '/5']) {
      const socket = connect(at, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(`GET ${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    }
    await eventually(async () => ended.length === 2)
    expect(ended).toEqual(['/1', '/2'])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
