import type { Facts } from './facts/collect.ts'
import type { MessageGiven, TransactionGiven } from './given.ts'

/** Everything that the review of a transaction looks at. What is missing is reported as not checked, by a finding. */
export type ReviewInput = TransactionGiven & Facts

/** Input of a message's review, with the answers of the chain. */
export type MessageInput = MessageGiven & Facts

/** Everything that a review looks at, whatever is signed. */
export type SubjectInput = ReviewInput | MessageInput
