import { CountersignError } from '@countersign/safe-core'

const RETRY_SECONDS = 2

/** More than this process can answer in good time. */
export function overloaded(): CountersignError {
  return new CountersignError(
    'OVERLOADED',
    `More requests came than can be answered: ask again in \`${RETRY_SECONDS}\` s.`,
    { data: { retryAfterSeconds: RETRY_SECONDS } },
  )
}
