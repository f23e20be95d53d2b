import { request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFront, REFUSAL_DELAY_MS } from './front.ts'

const WORK_MS = 10
const REQUESTS = 100
const NETWORKS = 40
/** More than the system keeps of what nobody reads. */
const LONG = Buffer.alloc(16 * 1024 * 1024, 'x')

let begun = 0
let front: ReturnType<typeof createFront>
let origin: string

/** A front whose requests keep the processor busy for a while each. */
beforeEach(async () => {
  begun = 0
  front = createFront({
    refusalOf: () => null,
    knownAs: ({ headers }) => headers.authorization ?? null,
    isProbe: (path) => path === '/healthz',
    listener: (incoming, outgoing) => {
      const { url } = incoming
      if (url === '/long') return void outgoing.end(LONG)
      if (url === '/body') return void incoming.resume().on('end', () => outgoing.end('whole'))
      const refusal = /^\/refused\/(\d+)$/.exec(url ?? '')?.[1]
      if (refusal) {
        begun += 1
        return void outgoing.writeHead(Number(refusal)).end('refused')
      }
      if (url === '/live') return void sendHeartbeats(outgoing)
      if (url !== '/healthz') {
        begun += 1
        const end = performance.now() + WORK_MS
        while (performance.now() < end);
      }
      outgoing.end(`${url} ${begun}`)
    },
    trustedProxies: ['127.0.0.1'],
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => front.close(resolve)))

const ask = (path: string) => fetch(`${origin}${path}`).then((response) => response.text())

/** Over a connection of its own. */
function askAnew(path: string, from = '192.0.2.1', as?: string): Promise<string> {
  const headers = { 'x-forwarded-for': from, ...(as ? { authorization: as } : {}) }
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { agent: false, headers }, async (response) =>
      resolve((await response.toArray()).join('')),
    )
      .on('error', reject)
      .end()
  })
}

describe('requests that arrive together', () => {
  test('behavior: a probe that connects after them is answered before most of them have begun', async () => {
    const flood = Array.from({ length: REQUESTS }, (_, at) => askAnew(`/${at}`))
    const [, before = ''] = (await askAnew('/healthz')).split(' ')
    expect(Number(before)).toBeLessThan(REQUESTS / 2)
    expect(await Promise.all(flood)).toHaveLength(REQUESTS)
    expect(begun).toBe(REQUESTS)
  })

  test('behavior: a probe is answered before most of them have begun', async () => {
    await Promise.all(Array.from({ length: REQUESTS }, () => ask('/warm')))
    begun = 0
    const flood = Array.from({ length: REQUESTS }, (_, at) => ask(`/${at}`))
    const [, before = ''] = (await ask('/healthz')).split(' ')
    expect(Number(before)).toBeLessThan(REQUESTS / 2)
    expect(await Promise.all(flood)).toHaveLength(REQUESTS)
    expect(begun).toBe(REQUESTS)
  })

  test('behavior: a client of another network does not wait until all of them have begun', async () => {
    const flood = Array.from({ length: REQUESTS }, (_, at) => askAnew(`/${at}`))
    const [, before = ''] = (await askAnew('/other', '192.0.2.2')).split(' ')
    expect(Number(before)).toBeLessThan(REQUESTS / 2)
    await Promise.all(flood)
  })

  test('behavior: a known account does not wait for strangers from many networks', async () => {
    const flood = Array.from({ length: NETWORKS }, (_, at) => askAnew(`/${at}`, `10.0.${at}.1`))
    const [, before = ''] = (await askAnew('/other', '192.0.2.2', 'alice')).split(' ')
    expect(Number(before)).toBeLessThan(NETWORKS / 2)
    await Promise.all(flood)
  })
})

const HEARTBEATS = 20

function sendHeartbeats(outgoing: ServerResponse): void {
  let sent = 0
  const beat = setInterval(() => {
    outgoing.write('beat ')
    sent += 1
    if (sent < HEARTBEATS) return
    clearInterval(beat)
    outgoing.end('end')
  }, 100)
  outgoing.once('close', () => clearInterval(beat))
}

/** Sends this and no more, and reads nothing; answers once the connection has ended. */
function sendHalf(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {}).once('close', () => resolve())
    socket.pause().write(text)
    // A socket that is not read from hears of its end by what it sends.
    const knock = setInterval(() => front.getConnections((_, count) => count === 0 && socket.destroy()), 50)
    socket.once('close', () => clearInterval(knock))
  })
}

describe('a connection over which nothing moves', () => {
  const start = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`

  test('default: each kind of silence has its time', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = front
    for (const milliseconds of [headersTimeout, requestTimeout, keepAliveTimeout, timeout]) {
      expect(milliseconds).toBeGreaterThan(0)
      expect(milliseconds).toBeLessThanOrEqual(60_000)
    }
  })

  test.each([
    ['that sends nothing', ''],
    ['whose headers do not end', start('GET', '/')],
    ['whose body does not end', `${start('POST', '/body')}Content-Length: 10\r\n\r\nhalf`],
    ['whose chunks do not end', `${start('POST', '/body')}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
  ])('behavior: one %s ends', async (_, text) => {
    front.headersTimeout = 100
    front.requestTimeout = 200
    front.timeout = 0
    await sendHalf(text)
  })

  test('behavior: one that reads nothing of a long answer ends', async () => {
    front.timeout = 300
    await sendHalf(`${start('GET', '/long')}\r\n`)
  })

  test('behavior: a live stream that says less than that at a time goes on to its end', async () => {
    front.timeout = 1_000
    front.headersTimeout = 100
    front.requestTimeout = 200
    expect(await ask('/live')).toBe(`${'beat '.repeat(HEARTBEATS)}end`)
  })
})

describe('refusals', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([429, 503])(
    'behavior: %i is delayed, so that the next request does not follow at once; other answers are not',
    async (status) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      let isAnswered = false
      const refused = askAnew(`/refused/${status}`).finally(() => {
        isAnswered = true
      })
      await vi.waitUntil(() => begun === 1, { timeout: 60_000, interval: 0 })
      expect(await askAnew('/body')).toBe('whole')
      expect(isAnswered).toBe(false)
      vi.advanceTimersByTime(2 * REFUSAL_DELAY_MS)
      expect(await refused).toBe('refused')
    },
  )

  test('behavior: an answer before the body has come is delayed as well', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let status: number | undefined
    const headers = { 'content-length': 700_000 }
    const sent = request(`${origin}/refused/404`, { agent: false, method: 'POST', headers }, (response) => {
      status = response.statusCode
      sent.destroy()
    }).on('error', () => {})
    sent.flushHeaders()
    await vi.waitUntil(() => begun === 1, { timeout: 60_000, interval: 0 })
    expect(await askAnew('/body')).toBe('whole')
    expect(status).toBeUndefined()
    vi.advanceTimersByTime(2 * REFUSAL_DELAY_MS)
    await vi.waitUntil(() => status === 404, { timeout: 60_000, interval: 0 })
  })

  test('behavior: a client that leaves meanwhile does no harm', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent = request(`${origin}/refused/429`, { agent: false }).on('error', () => {})
    sent.end()
    await vi.waitUntil(() => begun === 1, { timeout: 60_000, interval: 0 })
    sent.destroy()
    vi.advanceTimersByTime(2 * REFUSAL_DELAY_MS)
    expect(await askAnew('/body')).toBe('whole')
  })
})
