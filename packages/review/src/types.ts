import type {
  MessageContent,
  SafeCreation,
  SafeMessageHashes,
  SafeState,
  SafeTx,
  SafeTxHashes,
  SignatureType,
  SignInMessage,
} from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address, Hex } from 'viem'
import type { CheckId, FindingId, Severity } from './catalogue.ts'
import type { ObservedEffects } from './effects/declared-effects.ts'
import type { EvidenceOf } from './evidence.ts'
import type { FactGrade } from './simulation/fact-grade.ts'

/**
 * Where the evidence lies: a field of what is signed, a storage slot of the Safe, a call of the tree (`[2, 0]`: the first
 * call inside the third), or bytes of the transaction's `data` from `start` to before `end`.
 */
export type Where = {
  field?: keyof SafeTx | 'safeTxHash' | 'chainId' | 'signatures' | 'origin' | 'message'
  slot?: Hex
  call?: readonly number[]
  bytes?: { start: number; end: number }
}

/** A finding of one id. `evidence`: the values at fault, of the kinds that its row of the catalogue declares. */
export type FindingOf<Id extends FindingId> = { id: Id; severity: Severity; evidence: EvidenceOf<Id>; where: Where }

/** Something that a signer must see. */
export type Finding = { [Id in FindingId]: FindingOf<Id> }[FindingId]

/**
 * Extent of a check that proved less than its full label states. `unclaimed`: no hash to compare with. `undeployed`: read from
 * the creation. `none`: no signature yet. `none-counts`: only signatures of former owners. `some`: also signatures that do not
 * count. `unasked`: no node confirmed the simulation. `by-node`: only a node ran it. `configured`: only the chains of this
 * server were compared. `one-node`: not proved, and the configuration requires no more.
 */
export type CheckScope =
  | 'unclaimed'
  | 'undeployed'
  | 'none'
  | 'none-counts'
  | 'some'
  | 'unasked'
  | 'by-node'
  | 'configured'
  | 'one-node'

/**
 * Result of a check. If an input is missing, the check is `not-checked`, never passed, and `INPUT-MISSING` names the input. A
 * check that passed and proved less than usual has a `scope` with its own label.
 */
export type Check = { id: CheckId; status: 'passed' | 'failed' | 'not-checked'; scope?: CheckScope }

/** Every kind of effect: the keys of the sentences in the text catalogue. */
export const effectKeys = [
  'native-transfer',
  'erc20-transfer',
  'erc20-transfer-from',
  'erc20-approve',
  'erc20-allowance-change',
  'nft-transfer',
  'nft-batch-transfer',
  'nft-approve',
  'nft-approve-all',
  'token-burn',
  'owner-add',
  'owner-remove',
  'owner-swap',
  'threshold-change',
  'module-enable',
  'module-disable',
  'guard-set',
  'guard-remove',
  'module-guard-change',
  'handler-change',
  'singleton-change',
  'settings-other',
  'message-sign',
  'ownership-transfer',
  'ownership-renounce',
  'proxy-upgrade',
  'role-change',
  'vote-cast',
  'votes-delegate',
  'order-create',
  'hash-approve',
  'nested-transaction',
  'contract-create',
  'cancel',
  'empty-call',
  'contract-call',
  'described-call',
  'unknown-call',
  'foreign-code',
  'unreadable-batch',
  'not-decoded',
] as const

/** Key of the sentence that says an effect. */
export type EffectKey = (typeof effectKeys)[number]

/** One thing that happens. Amounts are in base units; `values.from` is who does it, when that is not the Safe. */
export type Effect = { key: EffectKey; values: Record<string, string>; path: number[] }

/** A token that the operator of this server has listed. */
export type Token = {
  address: Address
  symbol: string
  decimals: number
  /** Lists that have it; left out where the operator names it in the configuration itself. */
  lists?: readonly string[]
  /** It is on the list that the release ships. */
  isReleased?: boolean
}

/** Fields of a Safe that decide who controls it. */
export type SafeConfiguration = Pick<
  SafeState,
  'singleton' | 'owners' | 'threshold' | 'modules' | 'guard' | 'moduleGuard' | 'fallbackHandler'
>

/** A signature and what it is worth. `not-checked`: only the chain can tell, or the owners are not known. */
export type ReviewedConfirmation = {
  /** Whose it is said to be. */
  owner: Address
  signature: Hex
  status: 'valid' | 'invalid' | 'not-owner' | 'not-checked'
  /** Null when it cannot be read. */
  signatureType: SignatureType | null
  /** The other transaction that this signature is for. */
  otherSafeTxHash?: Hex
}

/** Sources that were asked for the hash of the block. */
export type NamedSources = {
  /** Independent ones that named it, and how many it takes. */
  count: number
  needed: number
  said: readonly { name: string; says: 'same' | 'other' | 'nothing' }[]
  /** Blocks at which the facts were read: one, where all were read at once; lowest first. */
  blocks: readonly { number: bigint; hash: Hex }[]
}

/**
 * A part of what a review shows of the chain, and its worth: of the Safe by storage and code, `balances` and `approvals` as
 * a run changes them.
 */
export type GradedPart = {
  part: keyof SafeConfiguration | 'nonce' | 'code' | 'singletonCode' | 'balances' | 'approvals'
  grade: FactGrade
}

/** The four answers, best first. Unfinished or failed is neither `matches` nor `matches-with-warnings`. */
export type Verdict = 'matches' | 'matches-with-warnings' | 'cannot-verify' | 'do-not-sign'

/** Every review says this, whatever was reviewed. */
type Reviewed = {
  verdict: Verdict
  /** Executed as things stand now it would fail: the Safe holds too little, or refuses the change. */
  wouldFail: boolean
  /** That owners sign. */
  hash: Hex
  /** Hash of the team's policy by which it was reviewed; null: of none. */
  policyHash: Hex | null
  /** Worth of all facts together: that of the weakest on which the verdict rests. */
  grade: FactGrade
  /** Whether as many sources stand behind them as the configuration asks for: without, *matches* is said by one node. */
  hasEnoughSources: boolean
  /** Null where nobody kept who was asked. */
  sources: NamedSources | null
  /** Worth of what is shown of the chain, part by part. */
  parts: readonly GradedPart[]
  checks: Check[]
  /** Worst first. */
  findings: Finding[]
  confirmations: ReviewedConfirmation[]
  /** Approved subjects of other Safes, each with its own review. Their serious findings are among `findings`, too. */
  nested: NestedReview[]
}

/** Something that is approved by its hash, and its review: of another Safe, or a message of this one. */
export type NestedReview = {
  safeAddress: Address
  /** The call that approves it; empty for a message. */
  path: readonly number[]
  /** The fields, from which its hash was computed; null for a message. */
  safeTx: SafeTx | null
  /** The content of a message; null for a transaction. */
  content: MessageContent | null
  review: SubjectReview
}

/** Everything a signer must know before a transaction is signed. */
export type Review = Reviewed & {
  kind: 'transaction'
  hashes: SafeTxHashes
  call: Call
  effects: Effect[]
  /** The changes that the calls tell, as they can be declared and compared. */
  observed: ObservedEffects
  /** Null when it cannot be told: the state is not known, or unknown code would run as the Safe. */
  configuration: { before: SafeConfiguration; after: SafeConfiguration; changed: boolean } | null
}

/** Everything a signer must know before a message is signed in the name of the Safe. */
export type MessageReview = Reviewed & {
  kind: 'message'
  hashes: SafeMessageHashes
  /** The fields of the sign-in message that it is, or null. */
  signIn: SignInMessage | null
}

/** Everything that somebody must know before a Safe is created. Its hash is that of chain, factory and call data. */
export type CreationReview = Reviewed & {
  kind: 'creation'
  /** Null when the bytes are no call of a factory. */
  creation: SafeCreation | null
}

/** The review of whatever was to be signed. */
export type SignedReview = Review | MessageReview

/** The review of any subject. */
export type SubjectReview = SignedReview | CreationReview

/** Input of the review of a message's content. */
export type MessageReviewInput = {
  chainId: number
  safeAddress: Address
  /** Version of the Safe: it decides how a message is hashed. */
  version: string
  content: MessageContent
  /** The hash under which somebody asked for it; null before anybody did. */
  claimedHash: Hex | null
  /** Hashes of the Safe's transactions that are known, and of other Safes that it owns. */
  safeTxHashes: readonly Hex[]
  /** Origin of the page that asks for the signature, such as `https://app.example.org`; null when nobody knows. */
  origin: string | null
  /** Milliseconds since 1970; null leaves times unchecked. */
  now: number | null
}
