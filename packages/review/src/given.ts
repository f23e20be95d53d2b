import type { MessageContent, SafeState, SafeTx } from '@countersign/safe'
import type { CowOrder, GivenAbi } from '@countersign/safe/calls'
import type { Address, Hex } from 'viem'
import type { DeclaredEffects } from './effects/declared-effects.ts'
import type { PolicyState } from './policy/policy-in-force.ts'
import type { SpentAmount } from './policy/team-policy.ts'
import type { Token } from './types.ts'

/** A transaction that owners sign. */
export type TransactionSubject = { kind: 'transaction'; chainId: number; safeAddress: Address; safeTx: SafeTx }

/** A message that owners sign in the name of the Safe. */
export type MessageSubject = { kind: 'message'; chainId: number; safeAddress: Address; content: MessageContent }

/**
 * A Safe that a call of a proxy factory creates. Nobody signs for it: whoever sends the call pays. `safeAddress` is where
 * the page computes that it will be.
 */
export type CreationSubject = { kind: 'creation'; chainId: number; safeAddress: Address; factory: Address; data: Hex }

/** A transaction or message that owners are asked to sign, and its Safe: its hashes rest on this alone. */
export type SignedSubject = TransactionSubject | MessageSubject

/** Whatever is reviewed: what owners sign, or a Safe that is to be created. */
export type Subject = SignedSubject | CreationSubject

/** An owner of the past, as the server tells it; the chain is asked whether it is true. */
export type RemovedOwner = { owner: Address; transactionHash: Hex }

/** Another proposal of this Safe, or one that was deleted and that accounts have signed. */
export type OtherTransaction = {
  safeTxHash: Hex
  nonce: bigint
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** Signatures of accounts that are no owners now. */
  formerConfirmations?: readonly { owner: Address; signature: Hex }[] | undefined
}

/** Prices of whole units, as decimals: by lower-case address of the token, of the chain's coin by `native`. */
export type Prices = { currency: string; ofAsset: Readonly<Record<string, string>> }

/** Facts that a review has before it asks the chain: the Safe as it was read, and the texts of people. */
type Context = {
  /** Null where it could not be read. */
  state: SafeState | null
  /** The hash under which somebody proposed it; null before anybody did. */
  claimedHash: Hex | null
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** Other proposals of this Safe that are known. */
  others: readonly OtherTransaction[]
  /** The account that is about to sign. */
  account: Address | null
  /** The hash this page showed before, to notice a change under review. */
  reviewedBefore?: Hex | null | undefined
  /** The proposer's words. */
  origin: string | null
  /** The effects that the proposer signed, of a transaction. They are compared, and lower nothing. */
  declared?: DeclaredEffects | null | undefined
  tokens: readonly Token[]
  /** Word of the operator's sources on what assets cost. A price adds a finding to a swap, and lowers nothing. */
  prices?: Prices | undefined
  /** Orders of CoW Protocol that the reader gave: for digests that are signed. */
  orders?: readonly CowOrder[] | undefined
  /** ABIs whose word counts for the account, for functions that are not on Countersign's own list. */
  abis?: readonly GivenAbi[] | undefined
  /** Addresses that owners have named. Others are compared with them. */
  named?: readonly Address[] | undefined
  /** Those among them whose name counts for the account, by signatures of owners: they are not new to it. A name lowers nothing else. */
  familiar?: readonly Address[] | undefined
  /** Accounts among them whose signed name counts, according to the server. Like `provedPayees`, they lower medium findings only. */
  recognized?: readonly Address[] | undefined
  /** Accounts that this Safe has paid, according to the server. Other accounts are compared with them. Null if unknown. */
  paid?: readonly Address[] | null | undefined
  /** False if the Safe has paid more accounts than `paid` lists. Other accounts are then compared with some of them only. */
  isPaidWhole?: boolean | undefined
  /** Accounts among them with a proved payment (`isProvedPayment`). They lower medium findings only. */
  provedPayees?: readonly Address[] | undefined
  /** The team's policy, as the page has verified it; left out where there is no team, as for a file. */
  policy?: PolicyState | undefined
  /** For each limit of the policy, what was executed within its period and what is queued beside this transaction. */
  spent?: readonly SpentAmount[] | undefined
  /** The chains that can be asked. */
  chainIds?: readonly number[] | undefined
  /** Owners of the past. They only say where to look: the fact `formerOwners` is what counts. */
  removedOwners?: readonly RemovedOwner[] | undefined
  /** The block on whose state the transaction is run; left out where nothing runs it. */
  blockNumber?: bigint | undefined
  /** Milliseconds since 1970; left out, times stay unchecked. */
  now?: number | null | undefined
}

/** A subject with everything that a review has before it asks the chain. Facts say by it what they need. */
export type Given<Of extends Subject = Subject> = Of & Context

/** Input of a transaction's review, before the chain is asked. */
export type TransactionGiven = Given<TransactionSubject>

/** Input of a message's review, before the chain is asked. */
export type MessageGiven = Given<MessageSubject>

/** Input of the review of a Safe that is to be created, before the chain is asked. */
export type CreationGiven = Given<CreationSubject>
