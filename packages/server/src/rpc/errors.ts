import { CountersignError } from '@countersign/safe'
import { HttpRequestError, TimeoutError } from 'viem'

/** The request was too much, or malformed, in the words of HTTP. Any other status is about the node, or who may ask it. */
const REFUSING = new Set([400, 405, 406, 413, 414, 415, 422, 431])

/** The node answers, but not to this. One that cannot be reached, or asks for patience, is asked again later. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CountersignError) return false
  if (!(error instanceof HttpRequestError)) return true
  return error.status !== undefined && REFUSING.has(error.status)
}

/** How nodes say in the words of HTTP that they have no such method, or not for whoever asks. */
const DENYING = new Set([401, 402, 403, 404, 501])

/** The node does not offer this. Asked for anything else it would mean that it offers nothing. */
export function isDenied(error: unknown): boolean {
  return error instanceof HttpRequestError && error.status !== undefined && DENYING.has(error.status)
}

/** Whether another node may answer what this one did not, or answered for another chain. */
export function isNodeFailure(error: unknown): boolean {
  if (error instanceof CountersignError) return error.code === 'CHAIN_ID_MISMATCH'
  return error instanceof TimeoutError || (error instanceof HttpRequestError && !isRefusal(error))
}

/** How nodes say that a call came to its end: each in its own spelling, few with a code. */
const ENDED =
  /execution reverted|invalid ?(fe)? ?opcode|opcode ?not ?found|invalid ?jump|stack ?(under|over)flow|VM Exception|out ?of ?gas/i

/** Whether a contract refused, rather than the node or the way to it. */
export function isRevert(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === 3) return true
    if (ENDED.test(at.message)) return true
  }
  return false
}
