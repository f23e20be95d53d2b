import { CountersignError } from '@countersign/safe-core'
import { HttpRequestError } from 'viem'

/** The node answers, but not to this. One that cannot be reached, or asks for patience, is asked again later. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CountersignError) return false
  if (!(error instanceof HttpRequestError)) return true
  return error.status !== undefined && error.status !== 429 && error.status < 500
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
