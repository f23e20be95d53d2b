import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Context } from 'hono'
import type { Admission } from './admission.ts'
import type { Variables } from './variables.ts'

/** Longest body of a request. */
export const MAX_BODY_BYTES = 1024 * 1024
/** Bodies up to this size are read by many at a time without waiting for each other. */
const SHORT_BYTES = 32 * 1024

/** Bytes whose parsing costs as much as a block of keccak-256. */
const BYTES_OF_BLOCK = 500

/** Returns the stated length of a body. Null if the request does not state it. */
export function saidLength(c: Context<Variables>): number | null {
  if (c.req.header('transfer-encoding') !== undefined) return null
  return Number(c.req.header('content-length') ?? 0)
}

/** Whether a body is short enough to be received before the request is checked. */
export function isShortBody(c: Context<Variables>): boolean {
  const length = saidLength(c)
  return length !== null && length <= SHORT_BYTES
}

/**
 * Waits for the whole body before the request takes a place in a lane: who sends it slowly, or never, takes nobody's
 * place. Long ones are held by few at a time. Whoever reads it afterwards gets what came here.
 *
 * @throws CountersignError `OVERLOADED`, `RATE_LIMITED` for too many long ones, `INVALID_REQUEST` when the connection ends before the body does
 */
export async function receiveBody(c: Context<Variables>, admission: Admission, key: string): Promise<void> {
  const { method } = c.req
  if (method === 'GET' || method === 'HEAD') return
  const length = saidLength(c)
  if (length === 0) return
  if (length === null) boundWhileRead(c)
  const receive = () => c.req.text().catch(refuseHalf)
  if (isShortBody(c)) return void (await receive())
  // A long body is paid for before it is received. One without a stated length is paid for as the longest.
  admission.take('work', key, Math.ceil((length ?? MAX_BODY_BYTES) / BYTES_OF_BLOCK))
  await admission.run('bodies', key, receive)
}

export function tooLarge(): CountersignError {
  return fail('REQUEST_TOO_LARGE', { limit: MAX_BODY_BYTES })
}

/** Ends a body without a stated length when it becomes too long. Reads nothing before a reader asks for it. */
function boundWhileRead({ req }: Context<Variables>): void {
  const { body } = req.raw
  if (!body) return
  let received = 0
  const bounded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, stream) {
        received += chunk.length
        if (received > MAX_BODY_BYTES) throw tooLarge()
        stream.enqueue(chunk)
      },
    }),
  )
  req.raw = new Request(req.raw, { body: bounded, duplex: 'half' } as RequestInit)
}

/** Nobody reads this answer; the log tells a client that left from a server that failed. */
function refuseHalf(cause: unknown): never {
  if (cause instanceof CountersignError) throw cause
  throw fail('INVALID_REQUEST', { reason: 'incomplete', errors: [{ path: 'body', message: 'is not complete' }] }, cause)
}
