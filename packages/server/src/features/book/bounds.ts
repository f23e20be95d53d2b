import { CountersignError } from '@countersign/safe-core'

/** What a team keeps here is bounded, so that nobody of it alone can fill the disk. */
export function tooMany(what: string, limit: number): CountersignError {
  return new CountersignError('TOO_MANY', `There are \`${limit}\` ${what} already.`, { data: { limit } })
}
