import type { Role } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'

/** What one author may keep of one kind: nobody's full share stops another from writing. */
export type Bounds = Record<Exclude<Role, 'viewer'>, number>

/** What a team keeps here is bounded, so that nobody of it alone can fill the disk. */
export function tooMany(what: string, limit: number): CountersignError {
  return new CountersignError('TOO_MANY', `There are \`${limit}\` ${what} already.`, { data: { limit } })
}
