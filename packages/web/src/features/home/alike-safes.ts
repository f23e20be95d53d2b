import type { Safe } from '@countersign/contract'
import { addressEnds, isAlikeAddress, skeletonOf } from '@countersign/review'
import { chooseName, type GivenName } from '../../safe/names/team-names.ts'

/** By what a Safe may be taken for another one of the list. */
export type Alike = 'address' | 'name'

export function nameOfSafe(safe: Safe, reader: string | null): GivenName | undefined {
  return chooseName(safe.names, { owners: safe.owners, reader })
}

/**
 * Tells the Safes whose address or name is like that of another one. Anybody may make a Safe of which the reader is an
 * owner, at an address that ends as one of theirs does. A Safe that the reader named is not marked for its name: it is the
 * other that imitates it. Of two addresses either may be the imitation.
 */
export function alikeSafes(safes: readonly Safe[], reader: string | null): ReadonlyMap<Safe, Alike> {
  const named = safes.flatMap((safe) => {
    const given = nameOfSafe(safe, reader)
    // As it was given, and not as it is shown: what cannot be seen is written out there.
    const raw = safe.names.find(({ author }) => author === given?.writer.account)?.name
    return given ? [{ safe, by: given.by, skeleton: nameSkeleton(raw ?? given.name) }] : []
  })
  const byName = named.filter(
    ({ safe, by, skeleton }) =>
      by !== 'you' && named.some((other) => other.safe !== safe && other.skeleton === skeleton),
  )
  const byEnds = new Map<string, Safe[]>()
  for (const safe of safes)
    byEnds.set(addressEnds(safe.address), [...(byEnds.get(addressEnds(safe.address)) ?? []), safe])
  const byAddress = safes.filter(({ address }) =>
    byEnds.get(addressEnds(address))?.some((other) => isAlikeAddress(address, other.address)),
  )
  return new Map<Safe, Alike>([
    ...byName.map(({ safe }) => [safe, 'name'] as const),
    ...byAddress.map((safe) => [safe, 'address'] as const),
  ])
}

/** Letters and digits alone: case, accents, blanks, signs and letters of another script make no other name. */
function nameSkeleton(name: string): string {
  return skeletonOf(name.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, ''))
}
