import { policyApprovalsRequired } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'

/** The reader, and the owners of the Safe: by the chain, whatever the server says of roles. */
export type Readers = { reader: Address | null; owners: readonly Address[]; threshold: number }

/** For whom an entry of the address book counts; `you` for the reader and not for every owner. */
export type Standing = 'team' | 'you' | 'nobody'

/**
 * Decides for whom an entry counts, by the accounts that gave exactly the same: for an owner who wrote or endorsed it, and for
 * all once as many distinct owners of now as approve a policy did. Nobody else's word counts.
 */
export function standingOf(givers: readonly string[], readers: Readers): Standing {
  const given = readers.owners.filter((owner) => givers.some((giver) => isSameAddress(giver, owner)))
  const required = policyApprovalsRequired(readers)
  if (required > 0 && given.length >= required) return 'team'
  return given.some((owner) => readers.reader !== null && isSameAddress(owner, readers.reader)) ? 'you' : 'nobody'
}
