import type { SafeState } from '../safe-state.ts'
import type { FactGrade } from '../simulation/fact-grade.ts'
import { lowestGrade } from '../simulation/fact-grade.ts'
import type { FactId } from './facts/collect.ts'
import type { NamedSources } from './types.ts'

/** Where the facts of a review come from, and how much each is worth. */
export type Provenance = {
  /** Worth of each fact that was answered. */
  grades: Partial<Record<FactId, FactGrade>>
  /** Facts whose proofs were wrong. */
  refused: readonly FactId[]
  /** Names of the sources that named another hash for the block than the node; empty where none did. */
  contradicting: readonly string[]
  sources: NamedSources
}

/**
 * Facts that cannot make a verdict better than it should be: the page computes the same by itself, or they are shown as
 * claims. All others decide.
 */
const claims: ReadonlySet<FactId> = new Set<FactId>([
  ...(['nodeChainId', 'chainSafeTxHash', 'codeAges', 'descriptions'] as const),
  ...(['tokenClaims', 'tokenDecimals', 'formerOwners', 'otherChains'] as const),
])

/** The grade of all that a review rests on: that of its weakest fact. */
export function gradeFacts(state: SafeState | null, provenance: Provenance | undefined): FactGrade {
  if (state === null) return 'unknown'
  if (provenance === undefined || provenance.grades.safeSlots === undefined) return 'one-node'
  const deciding = Object.entries(provenance.grades).filter(([id]) => !claims.has(id as FactId))
  return lowestGrade(deciding.map(([, grade]) => grade))
}

/** Whether as many sources stand behind the facts as the configuration asks for. One node is enough where it says one. */
export function hasEnoughSources(grade: FactGrade, provenance: Provenance | undefined): boolean {
  return grade === 'proved' || (grade === 'one-node' && provenance !== undefined && provenance.sources.needed <= 1)
}
