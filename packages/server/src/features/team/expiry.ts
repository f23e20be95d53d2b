import { CountersignError } from '@countersign/safe-core'

/** @throws CountersignError `INVALID_REQUEST` for an end that has passed. */
export function requireInFuture(field: string, end: Date | null, now: Date): void {
  if (end === null || end > now) return
  throw new CountersignError('INVALID_REQUEST', `\`${field}\` must be in the future; it is \`${end.toISOString()}\`.`, {
    data: { errors: [{ path: field, message: 'must be in the future' }] },
  })
}
