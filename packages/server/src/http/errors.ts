import { type ErrorCode, errorTable, errorTexts, fail, type Problem } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { parseDatabaseFailure } from '../db/failure.ts'

/** Any failure as an error with a code of the table. What the database refuses gets the code that says why; what nobody expected becomes `INTERNAL`. */
export function toCountersignError(error: unknown): CountersignError & { code: ErrorCode } {
  if (error instanceof CountersignError && isErrorCode(error)) return error
  const known = parseDatabaseFailure(error) ?? fail('INTERNAL', { reason: 'unexpected' }, error)
  if (!isErrorCode(known)) throw known
  return known
}

export function toProblem(error: CountersignError & { code: ErrorCode }, requestId: string): Problem {
  const { title, hint } = errorTexts[error.code]
  return {
    type: `/docs/errors.md#${error.code}`,
    title,
    status: errorTable[error.code].status,
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
