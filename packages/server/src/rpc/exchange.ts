import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { type Contact, noteContact } from '../outbound.ts'

/** A connection that nobody uses is closed after this time: most nodes keep it a little longer. */
const IDLE_MS = 4_000
const kept = {
  http: new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
  https: new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
}

/**
 * `contact` says who is asked; without it, a node of a chain. `isOnce`: over a connection of its own, and not sent again when
 * that breaks: it may have arrived.
 */
export type Target = { url: URL; headers: Record<string, string>; contact?: Contact; isOnce?: boolean }
/** `milliseconds` until the end of the answer; `largestAnswer` in bytes, unpacked; `signal`: aborts when the client has left. */
type Limits = { milliseconds: number; largestAnswer: number; signal?: AbortSignal | undefined }
export type Answered = { status: number; headers: IncomingMessage['headers']; text: string }

/**
 * Posts a text, or gets what is there without one, and reads the answer, over connections that are kept. Not by `fetch`, which takes the processor four times
 * as long and follows redirects: a node must not choose what this process asks.
 *
 * @throws the reason of the signal; viem's `TimeoutError` and `ResponseBodyTooLargeError`; for all else an error with the code of the connection's.
 */
export function exchange(target: Target, text: string | null, limits: Limits): Promise<Answered> {
  return attempt(target, text, limits, target.isOnce === true)
}

function attempt(
  { url, headers, contact }: Target,
  text: string | null,
  limits: Limits,
  isFresh: boolean,
): Promise<Answered> {
  if (limits.signal?.aborted) return Promise.reject(limits.signal.reason)
  noteContact(contact ?? { kind: 'node', host: url.host })
  const isEncrypted = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const sent = (isEncrypted ? requestHttps : requestHttp)(url, {
      method: text === null ? 'GET' : 'POST',
      agent: isFresh ? false : isEncrypted ? kept.https : kept.http,
      headers: {
        ...headers,
        'accept-encoding': 'gzip',
        ...(text === null ? {} : { 'content-length': Buffer.byteLength(text) }),
      },
    })
    const started = performance.now()
    let isOver = false
    const end = (settle: () => void) => {
      isOver = true
      clearTimeout(timer)
      limits.signal?.removeEventListener('abort', leave)
      settle()
    }
    const fail = (error: Error) =>
      end(() => {
        reject(withoutHost(error))
        sent.destroy()
      })
    const leave = () =>
      end(() => {
        reject(limits.signal?.reason)
        sent.destroy()
      })
    limits.signal?.addEventListener('abort', leave, { once: true })
    const timer = setTimeout(() => fail(new TimeoutError({ body: {}, url: url.host })), limits.milliseconds)
    sent.once('response', (response) => {
      sent.removeAllListeners('error').on('error', fail)
      readText(response, limits.largestAnswer).then(
        (read) => end(() => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read })),
        fail,
      )
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      sent.on('error', () => {})
      // A connection that this process ends also breaks. Nothing is sent again.
      if (isOver) return
      // The node closed a kept connection in this moment: it has read nothing.
      const milliseconds = limits.milliseconds - (performance.now() - started)
      if (!sent.reusedSocket || isFresh || error.code !== 'ECONNRESET' || milliseconds <= 0) return fail(error)
      end(() =>
        resolve(attempt({ url, headers, ...(contact ? { contact } : {}) }, text, { ...limits, milliseconds }, true)),
      )
    })
    sent.end(text ?? undefined)
  })
}

/** An error of the system, by its code alone: its message and its stack name the host of the node. */
function withoutHost(error: NodeJS.ErrnoException): Error {
  if (error.code === undefined) return error
  return Object.assign(new Error(`The connection failed (${error.code}).`), { code: error.code })
}

async function readText(response: IncomingMessage, maxSize: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of unpacked(response)) {
    size += chunk.byteLength
    if (size > maxSize) throw new ResponseBodyTooLargeError({ maxSize, size })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') throw new Error(`The node answers in \`${encoding}\`, which was not asked for.`)
  const unpacking = createGunzip()
  response
    .once('error', (error) => unpacking.destroy(error))
    .once('close', () => {
      if (!response.complete) unpacking.destroy(new Error('The answer is not complete.'))
    })
  return response.pipe(unpacking)
}
