import { findingEntry } from './catalogue.ts'
import { listChecks, missingInputs, reviewMissing } from './checks.ts'
import { decide } from './decide.ts'
import { reviewProvenance } from './findings/provenance.ts'
import { reviewOwners } from './findings/safe/accounts.ts'
import { reviewInstalled } from './findings/safe/installed.ts'
import { reviewSafeCode } from './findings/safe/safe-code.ts'
import { reviewSignatures } from './findings/signatures/signatures.ts'
import { gradeParts } from './graded-parts.ts'
import type { CreationInput, MessageInput, ReviewInput, SignedInput, SubjectInput } from './input.ts'
import type { Reading } from './kinds/reading.ts'
import { readTransaction } from './kinds/transaction.ts'
import { findingsOfNested, isNestedUnfinished, reviewApproved } from './nested.ts'
import { gradeFacts, hasEnoughSources } from './provenance.ts'
import { worstFirst } from './severity.ts'
import { lowestGrade } from './simulation/fact-grade.ts'
import type { CreationReview, MessageReview, Review, SignedReview, SubjectReview } from './types.ts'

/**
 * Reviews what owners are asked to sign, or a Safe that is to be created, from the bytes that will be signed or sent. Nothing is fetched: what is missing in the
 * input is reported as not checked, and the verdict is then `cannot-verify` at best where it is essential.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed: there is nothing to review then.
 *
 * @example
 * const facts = await collectFacts(given, (needed) => readFact(chain, needed))
 * const review = await reviewSubject({ ...given, ...facts })
 * if (review.verdict === 'do-not-sign') show(review.findings)
 */
export function reviewSubject(input: SignedInput): Promise<SignedReview>
export function reviewSubject(input: SubjectInput): Promise<SubjectReview>
export async function reviewSubject(input: SubjectInput): Promise<SubjectReview> {
  switch (input.kind) {
    case 'transaction':
      return reviewSafeTx(input)
    case 'message':
      return reviewMessage(input)
    case 'creation':
      return reviewCreation(input)
  }
}

/**
 * Reviews a transaction before it is signed.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed
 *
 * @example
 * const { verdict, findings, effects } = await reviewSafeTx({ kind: 'transaction', chainId, safeAddress, safeTx, … })
 */
export async function reviewSafeTx(input: ReviewInput): Promise<Review> {
  return reviewReading(input, await readTransaction(input))
}

/**
 * Reviews a message before it is signed.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it cannot be hashed in its encoding
 *
 * @example
 * const { verdict, findings, signIn } = await reviewMessage({ kind: 'message', chainId, safeAddress, content, … })
 */
export async function reviewMessage(input: MessageInput): Promise<MessageReview> {
  // A page of transactions needs neither this nor the review of creations.
  const { readMessage } = await import('./kinds/message.ts')
  return reviewReading(input, await readMessage(input))
}

/**
 * Reviews a Safe before it is created.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the call cannot be hashed
 *
 * @example
 * const { verdict, findings, creation } = await reviewCreation({ kind: 'creation', chainId, safeAddress, factory, data, … })
 */
export async function reviewCreation(input: CreationInput): Promise<CreationReview> {
  const { readCreation } = await import('./kinds/creation.ts')
  return reviewReading(input, readCreation(input))
}

/**
 * Brings the code that the review of a kind needs beside this, before somebody asks for one: code that once did not come a
 * browser never asks for again.
 *
 * @example
 * await prepareReview('creation')
 */
export async function prepareReview(kind: SubjectInput['kind']): Promise<void> {
  if (kind === 'message') await import('./kinds/message.ts')
  if (kind === 'creation') await import('./kinds/creation.ts')
}

/** Reviews the part that all subjects have in common: the signatures, the Safe's own code, the checks, the verdict. */
async function reviewReading<OfKind>(input: SubjectInput, reading: Reading<OfKind>) {
  const nested = await reviewApproved(input, reviewSubject)
  const { confirmations, findings: ofSignatures } = await reviewSignatures(reading.hash, reading.confirmations, input)
  const ofSafe = [
    ...reviewProvenance(input),
    ...reviewSafeCode(input),
    ...reviewInstalled(input),
    ...reviewOwners(input),
  ]
  const found = [...reading.ofHash, ...ofSignatures, ...ofSafe, ...reading.ofContent]
  // The weakest fact decides, also of what is approved.
  const grade = lowestGrade([gradeFacts(input), ...nested.map(({ review }) => review.grade)])
  const unfinished = isNestedUnfinished(nested) ? [['nested', 'nested'] as const] : []
  const missing = missingInputs(input, confirmations, [...reading.missing, ...unfinished])
  const checks = listChecks(reading, input, missing, { findings: found, confirmations })
  const ofKind = reading.toReview(checks)
  const later = (await reading.later?.(ofKind)) ?? []
  const own = [...found, ...later, ...reviewMissing(checks, missing)]
  const findings = worstFirst([...own, ...findingsOfNested(nested)])
  return {
    ...ofKind,
    verdict: decide({ checks, findings }),
    // To approve what would fail does not fail.
    wouldFail: own.some(({ id, severity }) => findingEntry(id).fails === 'outcome' && severity === 'high'),
    hash: reading.hash,
    policyHash: 'policy' in input && input.policy?.status === 'in-force' ? input.policy.hash : null,
    grade,
    hasEnoughSources: hasEnoughSources(grade, input.provenance),
    sources: input.provenance?.sources ?? null,
    parts: gradeParts(input),
    checks,
    findings,
    confirmations,
    nested,
  }
}
