import { fail } from '@countersign/contract'

/** @throws CountersignError `INVALID_REQUEST` for an end that has passed. */
export function requireInFuture(field: string, end: Date | null, now: Date): void {
  if (end === null || end > now) return
  throw fail('INVALID_REQUEST', {
    reason: 'past',
    field,
    value: end.toISOString(),
    errors: [{ path: field, message: 'must be in the future' }],
  })
}
