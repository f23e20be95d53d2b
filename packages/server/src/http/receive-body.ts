import { fail } from '@countersign/contract'
import type { Context } from 'hono'
import type { Admission } from './admission.ts'
import type { Variables } from './variables.ts'

/** Bodies up to this size are read by many at a time without waiting for each other. */
const SHORT_BYTES = 32 * 1024

/**
 * Waits for the whole body before the request takes a place in a lane: who sends it slowly, or never, takes nobody's
 * place. Long ones are held by few at a time. Whoever reads it afterwards gets what came here.
 *
 * @throws CountersignError `OVERLOADED`, `INVALID_REQUEST` when the connection ends before the body does
 */
export async function receiveBody(c: Context<Variables>, admission: Admission, key: string): Promise<void> {
  const { method } = c.req
  if (method === 'GET' || method === 'HEAD') return
  const length = c.req.header('content-length')
  const isChunked = c.req.header('transfer-encoding') !== undefined
  if (length === undefined && !isChunked) return
  const receive = () => c.req.text().catch(refuseHalf)
  if (!isChunked && Number(length) <= SHORT_BYTES) await receive()
  else await admission.run('bodies', key, receive)
}

/** Nobody reads this answer; the log tells a client that left from a server that failed. */
function refuseHalf(cause: unknown): never {
  throw fail('INVALID_REQUEST', { reason: 'incomplete', errors: [{ path: 'body', message: 'is not complete' }] }, cause)
}
