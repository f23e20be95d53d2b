import type { Address } from 'viem'
import type { Facts } from './facts/collect.ts'
import type { CreationGiven, MessageGiven, TransactionGiven } from './given.ts'
import type { Provenance } from './provenance.ts'

/** Left out where nobody kept it: then the facts are taken for one node's. */
type Kept = { provenance?: Provenance | undefined }

/** Subjects of other Safes that are approved by their hash alone. */
type Nesting = {
  /** Candidates for the approved hashes, each with all that its own review needs. One that does not hash to any is ignored. */
  nested?: readonly SubjectInput[] | undefined
  /** The Safes through which this one is approved, outermost first. The review of what approves it says so. */
  approvedIn?: readonly Address[] | undefined
}

/** Everything that the review of a transaction looks at. What is missing is reported as not checked, by a finding. */
export type ReviewInput = TransactionGiven & Facts & Kept & Nesting

/** Input of a message's review, with the answers of the chain. */
export type MessageInput = MessageGiven & Facts & Kept & Nesting

/** Input of the review of a Safe that is to be created, with the answers of the chain. */
export type CreationInput = CreationGiven & Facts & Kept & Nesting

/** Everything that a review of something signed looks at. */
export type SignedInput = ReviewInput | MessageInput

/** Everything that a review looks at, whatever is reviewed. */
export type SubjectInput = SignedInput | CreationInput
