import { type ErrorCode, errorTable, type Problem } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'

const NO_DATABASE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  // Not taking connections, or not there (any more).
  '55000',
  '3D000',
])

/** Any failure as an error with a code of the table. What is not ours becomes `DATABASE_UNAVAILABLE` or `INTERNAL`. */
export function toCountersignError(error: unknown): CountersignError & { code: ErrorCode } {
  if (error instanceof CountersignError && isErrorCode(error)) return error
  const known = new CountersignError(
    isDatabaseAway(error) ? 'DATABASE_UNAVAILABLE' : 'INTERNAL',
    isDatabaseAway(error) ? 'The database did not answer.' : 'The request could not be answered.',
    { cause: error },
  )
  if (!isErrorCode(known)) throw known
  return known
}

export function toProblem(error: CountersignError & { code: ErrorCode }, requestId: string): Problem {
  const { status, title, hint } = errorTable[error.code]
  return {
    type: `/docs/errors.md#${error.code}`,
    title,
    status,
    detail: error.message,
    hint,
    code: error.code,
    data: error.data,
    requestId,
  }
}

function isErrorCode(error: CountersignError): error is CountersignError & { code: ErrorCode } {
  return error.code in errorTable
}

function isDatabaseAway(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && NO_DATABASE.has(at.code)) return true
    if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(at.message)) return true
  }
  return false
}
