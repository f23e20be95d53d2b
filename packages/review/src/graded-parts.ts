import { finishedRun } from './findings/simulation/finished.ts'
import type { ReviewInput, SubjectInput } from './input.ts'
import type { FactGrade } from './simulation/fact-grade.ts'
import type { GradedPart } from './types.ts'

/** Parts that storage and code of the Safe tell. */
const ofSafe = [
  'singleton',
  'owners',
  'threshold',
  'nonce',
  'modules',
  'guard',
  'moduleGuard',
  'fallbackHandler',
  'code',
  'singletonCode',
] as const satisfies GradedPart['part'][]
/** Parts that a run tells: what changes by it. */
const ofRun = ['balances', 'approvals'] as const satisfies GradedPart['part'][]

/**
 * Grades what a review shows of the chain, part by part: the Safe by its slots and code, what moves by the run. A Safe that
 * is to be created has no part yet.
 */
export function gradeParts(input: SubjectInput): readonly GradedPart[] {
  if (input.kind === 'creation') return []
  const parts = ofSafe.map((part) => ({ part, grade: gradeOfSafe(input, part) }))
  return input.kind === 'message'
    ? parts
    : [...parts, ...ofRun.map((part) => ({ part, grade: gradeOfRun(input, part) }))]
}

/** A part that its own slot contradicts is known by nobody. */
function gradeOfSafe({ state, safeSlots, provenance }: SubjectInput, part: string): FactGrade {
  if (state === null || safeSlots?.differing.includes(part)) return 'unknown'
  return provenance?.grades.safeSlots ?? 'one-node'
}

function gradeOfRun({ simulation }: Pick<ReviewInput, 'simulation'>, part: (typeof ofRun)[number]): FactGrade {
  const run = finishedRun({ simulation })
  if (run === null || run.gaps.includes(part)) return 'unknown'
  const isUnread =
    part === 'balances'
      ? run.balances.some(({ before, after }) => before === null || after === null)
      : run.approvals.some(({ after }) => after === null)
  return isUnread ? 'unknown' : run.grade
}
