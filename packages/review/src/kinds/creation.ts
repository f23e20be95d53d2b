import type { CheckId } from '../catalogue.ts'
import type { MissingOfKind } from '../checks.ts'
import { codeAt } from '../findings/make-finding.ts'
import { reviewNewSafe } from '../findings/safe/new-safe.ts'
import type { CreationInput } from '../input.ts'
import { contractsOfCreation, creationOf } from '../new-safe.ts'
import { hashCreation } from '../subject.ts'
import type { CreationReview } from '../types.ts'
import type { Reading } from './reading.ts'

const checks: readonly CheckId[] = [
  'creation-code',
  'creation-address',
  'creation-elsewhere',
  'settings',
  'chain-id',
  'second-source',
]

/** Reads the creation of a Safe: there is no Safe yet whose state or signatures could be looked at. */
export function readCreation(input: CreationInput): Reading<Pick<CreationReview, 'kind' | 'creation'>> {
  const creation = creationOf(input)
  return {
    hash: hashCreation(input),
    checks,
    ofHash: [],
    ofContent: reviewNewSafe(creation, input),
    confirmations: [],
    missing: missingOf(input),
    toReview: () => ({ kind: 'creation', creation }),
  }
}

function missingOf(input: CreationInput): MissingOfKind {
  const { codes, createdAddress, elsewhere, safeAddress } = input
  const missing: [CheckId, string | null][] = []
  const unread = contractsOfCreation(input).filter((address) => codeAt(codes, address) === undefined)
  if (unread.length > 0) missing.push(['creation-code', `codes ${unread.join(', ')}`])
  if (codeAt(codes, safeAddress) === undefined) missing.push(['creation-address', `codes ${safeAddress}`])
  if (typeof createdAddress !== 'string') missing.push(['creation-address', 'createdAddress'])
  const isAnswered = elsewhere?.every(({ found }) => found !== 'unanswered') === true
  if (!isAnswered) missing.push(['creation-elsewhere', 'elsewhere'])
  return missing
}
