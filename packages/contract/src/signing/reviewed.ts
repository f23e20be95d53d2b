import type { Severity, Verdict } from '@countersign/review'
import * as z from 'zod/mini'
import { address, hash, line, time } from '../wire/primitives.ts'

/** Limits of a report. `bytes`: of all of it, as JSON in UTF-8. Who reports leaves out what has no room. */
export const reportLimits = {
  bytes: 16_384,
  findings: 50,
  acknowledgements: 50,
  evidence: 300,
  words: 500,
  typed: 100,
  reason: 500,
} as const

const findingId = z.string().check(z.regex(/^[A-Z][A-Z0-9]{0,19}(?:-[A-Z0-9]{1,19}){0,4}$/, 'must be a finding id'))

const reportedFinding = z.strictObject({
  id: findingId,
  severity: z.enum(['critical', 'high', 'medium', 'low', 'info'] satisfies Severity[]),
  /** Its evidence, for people to read. */
  evidence: z.optional(line(reportLimits.evidence)),
})

/** One finding that somebody read and accepted before signing. */
const acknowledgement = z.strictObject({
  /** Names this finding on this hash, with this evidence. */
  key: hash,
  id: findingId,
  /** The sentence that was ticked. */
  words: line(reportLimits.words),
  /** The text that had to be typed. */
  typed: z.optional(line(reportLimits.typed)),
  reason: z.optional(line(reportLimits.reason)),
})

/** keccak256 of the file, and the number of the block that it is proved against. */
const reportedPack = z.strictObject({ hash, block: z.int().check(z.nonnegative()) })
export type ReportedPack = z.output<typeof reportedPack>

/**
 * A claim of an account: what its page showed when it signed or sent something. Nobody else has seen that page, and no
 * verdict rests on it.
 */
export const reviewed = z
  .strictObject({
    verdict: z.enum(['matches', 'matches-with-warnings', 'cannot-verify', 'do-not-sign'] satisfies Verdict[]),
    /** The version of the team's policy that the review went by; null: it went by none. */
    policyVersion: z.nullable(z.int().check(z.nonnegative())),
    /** That the Safe was read at; null: it was not read. */
    block: z.nullable(z.int().check(z.nonnegative())),
    /** How well the facts were known that the review rested on. */
    grade: z.enum(['proved', 'said-by-one-node', 'unknown']),
    /** Worst first. */
    findings: z.array(reportedFinding).check(z.maxLength(reportLimits.findings)),
    acknowledgements: z.array(acknowledgement).check(z.maxLength(reportLimits.acknowledgements)),
    /** Findings and acknowledgements for which there was no room. */
    leftOut: z.int().check(z.nonnegative()),
    /** The proof pack that the same page made of it before. */
    pack: z.optional(reportedPack),
  })
  .check(
    z.refine(
      (report) => new TextEncoder().encode(JSON.stringify(report)).length <= reportLimits.bytes,
      `must not be longer than ${reportLimits.bytes.toLocaleString('en')} bytes of JSON`,
    ),
  )
export type Reviewed = z.output<typeof reviewed>

/** A report, with what the server knows of it: whose it is, when it came, and with what. */
export const reviewReport = z.object({
  account: address,
  at: time,
  verb: z.enum(['proposed', 'confirmed', 'sent', 'proposed-message', 'confirmed-message']),
  reviewed,
})
export type ReviewReport = z.output<typeof reviewReport>

type Signed = { isImported?: boolean | undefined; reviewed?: Reviewed | undefined }

/** Refuses a report beside signatures that were made elsewhere: this page is not the one their owners saw. */
export const ownReport = z.refine<Signed>(({ isImported, reviewed: report }) => !(isImported && report), {
  error: 'must not come with what was signed elsewhere',
  path: ['reviewed'],
})
