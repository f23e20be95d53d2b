import type { Facts } from './facts/collect.ts'
import type { MessageGiven, TransactionGiven } from './given.ts'
import type { Provenance } from './provenance.ts'

/** Left out where nobody kept it: then the facts are taken for one node's. */
type Kept = { provenance?: Provenance | undefined }

/** Everything that the review of a transaction looks at. What is missing is reported as not checked, by a finding. */
export type ReviewInput = TransactionGiven & Facts & Kept

/** Input of a message's review, with the answers of the chain. */
export type MessageInput = MessageGiven & Facts & Kept

/** Everything that a review looks at, whatever is signed. */
export type SubjectInput = ReviewInput | MessageInput
