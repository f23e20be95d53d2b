import type { Context } from 'hono'
import type { Variables } from '../http/variables.ts'
import { overloaded } from '../overloaded.ts'

/**
 * Aborts when the client's connection ends before its answer is complete. No client reads the reason.
 */
export function whenClientLeaves(c: Context<Variables>): AbortSignal {
  const left = new AbortController()
  const outgoing = c.env?.outgoing
  const leave = () => {
    if (!outgoing?.writableFinished) left.abort(overloaded())
  }
  // The client may have left during the session look-up. The event is not repeated.
  if (outgoing?.destroyed) leave()
  else outgoing?.once('close', leave)
  return left.signal
}
