import type { Facts } from './facts/collect.ts'
import type { MessageGiven, TransactionGiven } from './given.ts'

/** Everything that the review of a transaction looks at. What is missing is reported as not checked, by a finding. */
export type ReviewInput = TransactionGiven & Facts

/** The same of a message. */
export type MessageInput = MessageGiven & Facts

/** Everything that a review looks at, whatever is signed. */
export type SubjectInput = ReviewInput | MessageInput
