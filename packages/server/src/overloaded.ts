import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'

const RETRY_SECONDS = 2

/** More than this process can answer in good time. */
export function overloaded(): CountersignError {
  return fail('OVERLOADED', { retryAfterSeconds: RETRY_SECONDS })
}
