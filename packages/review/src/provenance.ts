import type { SafeState } from '@countersign/safe'
import type { FactId } from './facts/collect.ts'
import type { Subject } from './given.ts'
import type { FactGrade } from './simulation/fact-grade.ts'
import { lowestGrade } from './simulation/fact-grade.ts'
import type { NamedSources } from './types.ts'

/** Where the facts of a review come from, and how much each is worth. */
export type Provenance = {
  /** Worth of each fact that was answered. */
  grades: Partial<Record<FactId, FactGrade>>
  /** Facts whose proofs were wrong. */
  refused: readonly FactId[]
  /** Names of the sources that named another hash for the block than the node; empty where none did. */
  contradicting: readonly string[]
  /** Names of the sources that have a much newer block than that of the facts; empty where none has. */
  ahead?: readonly string[] | undefined
  sources: NamedSources
}

/**
 * Facts by which no lie makes a verdict better than silence does: the page computes the hash and knows the chain by itself,
 * so that another answer only accuses; what a token calls itself is shown as its claim, and findings are about those very
 * words; where a factory puts a Safe the page computes, too; most nodes cannot tell the age of code, and what one says of it passes no check. All others decide, also those that
 * nobody can prove: receipts, and the same Safe on other chains.
 */
const claims: ReadonlySet<FactId> = new Set<FactId>([
  'nodeChainId',
  'chainSafeTxHash',
  'tokenClaims',
  'codeAges',
  'createdAddress',
])

/** A Safe that is to be created has no state. */
type Graded = { kind: Subject['kind']; state: SafeState | null; provenance?: Provenance | undefined }

/** The grade of all that a review rests on: that of its weakest fact. */
export function gradeFacts({ kind, state, provenance }: Graded): FactGrade {
  const isCreation = kind === 'creation'
  if (state === null && !isCreation) return 'unknown'
  if (provenance === undefined || (provenance.grades.safeSlots === undefined && !isCreation)) return 'one-node'
  const deciding = Object.entries(provenance.grades).filter(([id]) => !claims.has(id as FactId))
  return lowestGrade(deciding.map(([, grade]) => grade))
}

/** Whether a fact is worth as much as the configuration asks for. */
export function isVouched(id: FactId, provenance: Provenance | undefined): boolean {
  const grade = provenance?.grades[id]
  return grade === undefined || hasEnoughSources(grade, provenance)
}

/** Whether as many sources stand behind the facts as the configuration asks for. One node is enough where it says one. */
export function hasEnoughSources(grade: FactGrade, provenance: Provenance | undefined): boolean {
  return grade === 'proved' || (grade === 'one-node' && provenance !== undefined && provenance.sources.needed <= 1)
}
