import { CountersignError } from '@countersign/safe'

const codes = new Set(['TRANSACTION_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'])

/**
 * Tells the answers for what an account may not see. The server gives the same ones for what does not exist: nobody learns
 * from them that something is there.
 */
export function isHiddenFromAccount(error: unknown): boolean {
  return error instanceof CountersignError && codes.has(error.code)
}
