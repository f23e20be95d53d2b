import { fail, type Role } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'

/** Entries of one kind that one author may keep: nobody's full share stops another author. */
export type Bounds = Record<Exclude<Role, 'viewer'>, number>

/** Refuses an entry beyond the bound, so that no member of a team can fill the disk alone. */
export function tooMany(
  reason:
    | 'names'
    | 'signed-names'
    | 'notes'
    | 'drafts'
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
