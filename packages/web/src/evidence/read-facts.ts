import { type Facts, factsOf, type NeededFact, type Provenance, provenanceOf, type ReadFact } from '@countersign/review'
import type { HashSources } from './proof/hash-sources.ts'

/** Puts the facts that were read under their names, with where they come from. */
export function factsRead(
  needed: readonly NeededFact[],
  read: readonly (ReadFact | undefined)[],
  sources: HashSources,
): Facts & { provenance: Provenance } {
  return { ...factsOf(needed, read), provenance: provenanceOf(needed, read, sources.needed) }
}
