import type { Context } from 'hono'
import type { Admission } from './admission.ts'
import type { Variables } from './variables.ts'

/** What many may hold at a time without being asked to wait for each other. */
const SHORT_BYTES = 32 * 1024

/**
 * Waits for the whole body before the request takes a place in a lane: who sends it slowly, or never, takes nobody's
 * place. Long ones are held by few at a time. Whoever reads it afterwards gets what came here.
 *
 * @throws CountersignError `OVERLOADED`
 */
export async function receiveBody(c: Context<Variables>, admission: Admission, key: string): Promise<void> {
  const { method } = c.req
  if (method === 'GET' || method === 'HEAD') return
  const length = c.req.header('content-length')
  const isChunked = c.req.header('transfer-encoding') !== undefined
  if (length === undefined && !isChunked) return
  const receive = () => c.req.text()
  if (!isChunked && Number(length) <= SHORT_BYTES) await receive()
  else await admission.run('bodies', key, receive)
}
