import { CountersignError } from '@countersign/safe'

const codes = new Set(['TRANSACTION_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'])

/**
 * Whether an error means that the account may not see something. The server returns the same errors if the object does not exist,
 * so the error does not reveal that it exists.
 */
export function isHiddenFromAccount(error: unknown): boolean {
  return error instanceof CountersignError && codes.has(error.code)
}
