import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange } from './exchange.ts'

const limits = { milliseconds: 2_000, largestAnswer: 1_000_000 }
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A node that answers so, and what it was asked. */
async function startNode(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const asked: { body: string; port: number | undefined }[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ body, port: request.socket.remotePort })
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, asked, target: { url: new URL(`http://127.0.0.1:${port}/`), headers: { authorization: 'Basic x' } } }
}

describe('exchange', () => {
  test('default: posts a text, over a connection that is kept', async () => {
    const { target, asked } = await startNode((request, response, body) => {
      expect([request.method, request.headers.authorization]).toEqual(['POST', 'Basic x'])
      response.setHeader('retry-after', '7').end(`${body} was heard`)
    })
    const { status, headers, text } = await exchange(target, 'zwölf', limits)
    expect([status, headers['retry-after'], text]).toEqual([200, '7', 'zwölf was heard'])
    await exchange(target, 'again', limits)
    expect(asked[0]?.port).toBe(asked[1]?.port)
  })

  test('behavior: unpacks what is packed', async () => {
    const { target } = await startNode((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('a block')),
    )
    expect((await exchange(target, '', limits)).text).toBe('a block')
  })

  test('behavior: of a bomb it unpacks no more than is allowed', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    const { target } = await startNode((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    const before = process.memoryUsage().rss
    await expect(exchange(target, '', limits)).rejects.toThrow(ResponseBodyTooLargeError)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })

  test('edge: an answer of the maximum size, and one byte more', async () => {
    let length = limits.largestAnswer
    const { target } = await startNode((_, response) => response.end('x'.repeat(length)))
    expect((await exchange(target, '', limits)).text).toHaveLength(length)
    length += 1
    await expect(exchange(target, '', limits)).rejects.toThrow(ResponseBodyTooLargeError)
  })

  test('behavior: an answer without end is cut off', async () => {
    const { target } = await startNode((_, response) => {
      const more = () => void (response.writable && response.write(Buffer.alloc(65_536), more))
      more()
    })
    await expect(exchange(target, '', limits)).rejects.toThrow(ResponseBodyTooLargeError)
  })

  test.each(['deflate', 'br', 'gzip, gzip'])('behavior: refuses %s, which was not asked for', async (encoding) => {
    const { target } = await startNode((_, response) => response.setHeader('content-encoding', encoding).end('x'))
    await expect(exchange(target, '', limits)).rejects.toThrow(encoding)
  })

  test.each([301, 302, 307, 308])('behavior: does not follow %i', async (status) => {
    const inside = await startNode((_, response) => response.end('what nobody outside may ask'))
    const { target } = await startNode((_, response) =>
      response.writeHead(status, { location: inside.target.url.href }).end(),
    )
    expect((await exchange(target, '', limits)).status).toBe(status)
    expect(inside.asked).toEqual([])
  })

  test('behavior: asks again when the node had closed the kept connection', async () => {
    // As a node that ends a connection in the moment in which it is used again.
    let answered = 0
    const server = createSocketServer((socket: Socket) => {
      let isUsed = false
      socket.on('error', () => {})
      socket.on('data', () => {
        if (isUsed) return void socket.resetAndDestroy()
        isUsed = true
        answered += 1
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    for (let at = 0; at < 3; at += 1) expect((await exchange({ url, headers: {} }, 'x', limits)).text).toBe('ok')
    expect(answered).toBe(3)
  })

  test.each([
    ['that hangs', () => {}],
    ['that hangs in the middle of its answer', (response: ServerResponse) => void response.write('{"resu')],
    [
      'that sends a byte now and then',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 20)
        closing.push(() => clearInterval(timer))
      },
    ],
  ])('behavior: waits for a node %s as long as is said, and no longer', async (_, answer) => {
    const { target } = await startNode((__, response) => answer(response))
    await expect(exchange(target, '', { ...limits, milliseconds: 300 })).rejects.toThrow(TimeoutError)
  })

  test.each(['identity', 'gzip'])('behavior: half an answer (%s) is none', async (encoding) => {
    const whole = encoding === 'gzip' ? gzipSync('x'.repeat(1_000)) : Buffer.from('x'.repeat(1_000))
    const { target } = await startNode((_, response) => {
      response.writeHead(200, { 'content-length': whole.length, 'content-encoding': encoding })
      response.write(whole.subarray(0, whole.length / 2), () => response.destroy())
    })
    await expect(exchange(target, '', limits)).rejects.toThrow()
  })

  test('behavior: nobody listens', async () => {
    const { target, server } = await startNode(() => {})
    await new Promise((resolve) => server.close(resolve))
    await expect(exchange(target, '', limits)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
