import { fail, type Role } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe-core'

/** What one author may keep of one kind: nobody's full share stops another from writing. */
export type Bounds = Record<Exclude<Role, 'viewer'>, number>

/** What a team keeps here is bounded, so that nobody of it alone can fill the disk. */
export function tooMany(
  reason:
    | 'names'
    | 'notes'
    | 'abis'
    | 'viewers'
    | 'tokens'
    | 'safes'
    | 'webhooks'
    | 'webhooks-of-account'
    | 'deliveries',
  limit: number,
): CountersignError {
  return fail('TOO_MANY', { reason, limit })
}
