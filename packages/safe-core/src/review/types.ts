import type { Address, Hex } from 'viem'
import type { Call, GivenAbi } from '../calldata.ts'
import type { MessageContent } from '../safe-message.ts'
import type { SafeState } from '../safe-state.ts'
import type { SafeTx, SafeTxHashes } from '../safe-tx.ts'
import type { SignatureType } from '../signature.ts'
import type { CheckId, FindingId, Severity } from './catalogue.ts'

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

/** Something that a signer must see. `evidence` names the values at fault; `evidence.call` is `where.call`, as `2.0`. */
export type Finding = { id: FindingId; severity: Severity; evidence: Record<string, string>; where: Where }

/** What became of a check. Where an input is missing it is `not-checked`, never passed, and `INPUT-MISSING` says why. */
export type Check = { id: CheckId; status: 'passed' | 'failed' | 'not-checked' }

/** Every kind of effect: the keys of the sentences in the text catalogue. */
export const effectKeys = [
  'native-transfer',
  'erc20-transfer',
  'erc20-transfer-from',
  'erc20-approve',
  'erc20-allowance-change',
  'nft-transfer',
  'nft-batch-transfer',
  'nft-approve-all',
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
  'hash-approve',
  'nested-transaction',
  'contract-create',
  'cancel',
  'empty-call',
  'contract-call',
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
export type Token = { address: Address; symbol: string; decimals: number }

/** The code at an address: keccak256 of it, and its size in bytes; where EIP-7702 delegates it to, if it does. */
export type Code = { codeHash: Hex; size: number; delegatesTo?: Address }

/** A delegatecall that the team allows although no release list knows it. All three must fit. */
export type AllowedDelegatecall = { address: Address; codeHash: Hex; selector: Hex; name?: string }

/** A module that the team knows. Address and code must both fit. */
export type KnownModule = { address: Address; codeHash: Hex }

/** Everything that a review looks at. What is missing is reported as not checked, and named by a finding. */
export type ReviewInput = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  /** The hash under which somebody proposed it; null before anybody did. */
  claimedSafeTxHash: Hex | null
  state: SafeState | null
  /** Code by lower-case address, for the addresses that `codeTargets` names; undefined where it was not read. */
  codes: Record<string, Code | undefined>
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** Other proposals of this Safe that are known. */
  others: readonly { safeTxHash: Hex; nonce: bigint; confirmations: readonly { owner: Address; signature: Hex }[] }[]
  /** The account that is about to sign. */
  account: Address | null
  /** The hash this page showed before, to notice a change under review. */
  reviewedBefore?: Hex | null | undefined
  /** What `getTransactionHash` of the Safe answers, if it was asked. */
  chainSafeTxHash?: Hex | null | undefined
  /** The proposer's words. */
  origin: string | null
  tokens: readonly Token[]
  /** ABIs whose word counts for the account, for functions that are not on Countersign's own list. */
  abis?: readonly GivenAbi[] | undefined
  /**
   * Balances of the Safe in base units, by lower-case token address; undefined where it was not read, null where the
   * contract was asked and does not answer as a token.
   */
  balances?: Record<string, bigint | null | undefined> | undefined
  /** What unlisted tokens say of themselves, by lower-case address. */
  tokenClaims?: Record<string, { symbol: string; name: string } | undefined> | undefined
  /** Addresses that owners have named. Others are compared with them; a name never lowers a finding. */
  named?: readonly Address[] | undefined
  /** Delegatecalls that the team has allowed. They are shown all the same, as less than critical. */
  allowed?: readonly AllowedDelegatecall[] | undefined
  /** Modules that the team knows: by address and code. Nobody else lists their code. */
  knownModules?: readonly KnownModule[] | undefined
  /**
   * Whether the contract says, by ERC-165, that it is a guard (for `setGuard`) or a module guard (for `setModuleGuard`),
   * by lower-case address; undefined where it was not asked.
   */
  guardAnswers?: Record<string, boolean | undefined> | undefined
  /** The greatest refund, in base units, that the team takes for harmless. */
  refundLimit?: bigint | undefined
  /** What `eth_chainId` of the node answers, if it was asked. */
  nodeChainId?: number | null | undefined
  /** Storage slot 6 of the Safe: its domain separator before 1.3.0. */
  storedDomainHash?: Hex | null | undefined
  /** Other configured chains, and whether there is code at the Safe's address; null where nobody could look. */
  otherChains?: readonly { chainId: number; hasCode: boolean | null }[] | undefined
  /** Who was an owner once, by the history of the Safe. */
  formerOwners?: readonly Address[] | undefined
  /** Whether `approvedHashes` of the Safe holds this hash, by lower-case owner. */
  approvedHashes?: Record<string, boolean | undefined> | undefined
  /** Whether the owner's contract accepted its signature when it was called, by lower-case owner. */
  contractSignatures?: Record<string, boolean | undefined> | undefined
  /** Transactions of other Safes that were reviewed in full, to resolve `approveHash`. */
  reviewedHashes?: readonly { safeTxHash: Hex; verdict: Verdict }[] | undefined
  /** Whether a source other than the server agrees on the proposal. */
  sources: 'server-only' | 'agreed'
}

/** What decides about a Safe. */
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

/** The three answers. Unfinished or failed is never `matches`. */
export type Verdict = 'matches' | 'cannot-verify' | 'do-not-sign'

/** What a signer must know before signing. */
export type Review = {
  verdict: Verdict
  /** Executed as things stand now it would fail: the Safe holds too little, or refuses the change. */
  wouldFail: boolean
  hashes: SafeTxHashes
  call: Call
  effects: Effect[]
  /** Null when it cannot be told: the state is not known, or unknown code would run as the Safe. */
  configuration: { before: SafeConfiguration; after: SafeConfiguration; changed: boolean } | null
  checks: Check[]
  /** Worst first. */
  findings: Finding[]
  confirmations: ReviewedConfirmation[]
}

/** Everything that the review of a message looks at. */
export type MessageReviewInput = {
  chainId: number
  safeAddress: Address
  /** Of the Safe: it decides how a message is hashed. */
  version: string
  content: MessageContent
  /** The hash under which somebody asked for it; null before anybody did. */
  claimedSafeMessageHash: Hex | null
  /** Hashes of the Safe's transactions that are known, and of other Safes that it owns. */
  safeTxHashes: readonly Hex[]
  /** Origin of the page that asks for the signature, such as `https://app.example.org`; null when nobody knows. */
  origin: string | null
  /** Milliseconds since 1970; null leaves times unchecked. */
  now: number | null
}
