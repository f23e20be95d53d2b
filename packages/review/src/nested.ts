import { unexplainedChecks } from './decide.ts'
import { withinApproval } from './findings/make-finding.ts'
import { resolveApprovals } from './findings/resolve-approvals.ts'
import type { SubjectInput } from './input.ts'
import type { Finding, NestedReview, SubjectReview } from './types.ts'

type ReviewOf = (input: SubjectInput) => Promise<SubjectReview>

/**
 * Reviews what a subject approves in other Safes, by the same review: there the approving Safe is the account that signs.
 */
export async function reviewApproved(input: SubjectInput, reviewOf: ReviewOf): Promise<NestedReview[]> {
  const approvedIn = [...(input.approvedIn ?? []), input.safeAddress]
  const resolved = [...resolveApprovals(input).values()].flatMap((resolution) =>
    'subject' in resolution ? [resolution] : [],
  )
  return Promise.all(
    resolved.map(async ({ approval, subject }) => ({
      safeAddress: subject.safeAddress,
      path: approval.path,
      safeTx: subject.kind === 'transaction' ? subject.safeTx : null,
      content: subject.kind === 'message' ? subject.content : null,
      review: await reviewOf({ ...subject, account: approval.by, approvedIn }),
    })),
  )
}

/** Whether the review of something that is approved lacks what is essential, and no finding of it says so. */
export function isNestedUnfinished(nested: readonly NestedReview[]): boolean {
  return nested.some(({ review }) => unexplainedChecks(review).length > 0)
}

/**
 * The findings of what is approved that its approval answers for: all that are serious or fail something. They name the
 * Safe and the hash that they are about, and stand where it is approved.
 */
export function findingsOfNested(nested: readonly NestedReview[]): Finding[] {
  return nested.flatMap(({ safeAddress, path, content, review }) =>
    review.findings.filter(isToldOutside).map((known): Finding => {
      const hash = content === null ? { nestedHash: review.hash } : { nestedMessage: review.hash }
      return withinApproval(known, { nestedSafe: safeAddress, ...hash }, path)
    }),
  )
}

/** Missing inputs there leave the check of it here unfinished. */
function isToldOutside({ id, severity }: Finding): boolean {
  return id !== 'INPUT-MISSING' && severity !== 'low' && severity !== 'info'
}

/** Whether something is approved whose approval has to be looked into. */
export function hasApprovals(input: SubjectInput): boolean {
  return resolveApprovals(input).size > 0
}

/** Whether an approved hash could not be resolved to a transaction or message, so that its content is not reviewed. */
export function hasUnresolved(input: SubjectInput): boolean {
  return [...resolveApprovals(input).values()].some((resolution) => 'why' in resolution)
}
