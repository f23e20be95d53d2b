import { CountersignError } from '@countersign/safe-core'
import { HttpRequestError } from 'viem'

/** The node answers, but not to this. One that cannot be reached, or asks for patience, is asked again later. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CountersignError) return false
  if (!(error instanceof HttpRequestError)) return true
  return error.status !== undefined && error.status !== 429 && error.status < 500
}

/** Whether a contract refused, rather than the node or the way to it. */
export function isRevert(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === 3) return true
    if (/execution reverted|invalid opcode|invalid jump|VM Exception|out of gas/i.test(at.message)) return true
  }
  return false
}
