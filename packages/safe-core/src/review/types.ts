import type { Address, Hex } from 'viem'
import type { Call, GivenAbi } from '../calldata.ts'
import type { SafeState } from '../safe-state.ts'
import type { SafeTx, SafeTxHashes } from '../safe-tx.ts'
import type { SignatureType } from '../signature.ts'

/** How bad a finding is. One critical finding makes the verdict `do-not-sign`. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info'

/** Every finding, with the severities it can have, worst first. */
export const findingSeverities = {
  'HASH-MISMATCH': ['critical'],
  'HASH-CHAIN-MISMATCH': ['critical'],
  'PROPOSAL-EDITED': ['critical'],
  'OP-INVALID': ['critical'],
  'SIG-MISMATCH': ['critical'],
  'SIG-OTHER-TX': ['critical'],
  'SIG-ETHSIGN': ['medium'],
  'SIG-APPROVED-UNVERIFIED': ['medium'],
  'SIG-CONTRACT-UNVERIFIED': ['medium'],
  'SINGLETON-UNKNOWN': ['high'],
  'SINGLETON-CODEHASH': ['critical'],
  'VERSION-LIES': ['critical'],
  'VERSION-OLD': ['medium'],
  'DC-UNKNOWN': ['critical'],
  'DC-WRONG-SELECTOR': ['critical'],
  'DC-NO-CODE': ['high'],
  'DC-KNOWN-LIB': ['low'],
  'DC-VALUE-IGNORED': ['medium'],
  'DC-MULTISEND-FULL': ['medium'],
  'SLOT0-CHANGE': ['critical', 'high'],
  'SELECTOR-MASQUERADE': ['high'],
  'SELECTOR-AMBIGUOUS': ['medium'],
  'DECODE-NONE': ['high', 'medium'],
  'DECODE-NONCANONICAL': ['high'],
  'DECODE-BUDGET': ['critical'],
  'MULTISEND-MALFORMED': ['critical'],
  'MULTISEND-INNER-DC': ['critical'],
  'MULTISEND-ZERO-TO': ['high'],
  'OWNER-ADD': ['high'],
  'OWNER-REMOVE': ['high'],
  'OWNER-SWAP': ['high'],
  'OWNER-SELF-REMOVED': ['high'],
  'OWNER-QUORUM-UNKNOWN': ['critical'],
  'THRESHOLD-DOWN': ['critical'],
  'THRESHOLD-ONE': ['high'],
  'THRESHOLD-LOCK': ['high'],
  'MODULE-ENABLE': ['critical'],
  'MODULE-DISABLE': ['medium'],
  'GUARD-SET': ['critical', 'high'],
  'GUARD-REMOVE': ['high'],
  'MODGUARD-CHANGE': ['high'],
  'HANDLER-UNKNOWN': ['critical'],
  'HANDLER-ZERO': ['medium'],
  'DOMAIN-VERIFIER': ['critical'],
  'GAS-REFUND': ['critical', 'medium'],
  'GAS-RECEIVER-SET': ['medium'],
  'GAS-BASEGAS-HIGH': ['high'],
  'SAFETXGAS-SET': ['low'],
  'NONCE-CONFLICT': ['high'],
  'NONCE-PAST': ['info'],
  'NONCE-GAP': ['medium'],
  'APPROVE-UNLIMITED': ['high'],
  'APPROVE-EOA': ['high'],
  'APPROVE-ALL-NFT': ['high'],
  'OWNERSHIP-TRANSFER': ['critical', 'high'],
  'PROXY-UPGRADE': ['critical', 'high'],
  'ROLE-CHANGE': ['high'],
  RENOUNCE: ['critical'],
  'NESTED-APPROVE': ['critical'],
  'EXEC-AS-MODULE': ['high'],
  'MSG-PERMANENT': ['high'],
  'MSG-IS-TX': ['critical'],
  'MSG-RAW-HASH': ['high'],
  'CALL-NO-CODE': ['medium'],
  'TOKEN-TO-ITSELF': ['high'],
  'TOKEN-UNLISTED': ['medium'],
  'VALUE-HIDDEN': ['medium'],
  'ADDR-LOOKALIKE': ['high'],
  'TEXT-CONTROL': ['medium'],
  'ORIGIN-CLAIM': ['info'],
} as const satisfies Record<string, readonly Severity[]>

/** Name of a finding, as in the catalogue of findings. */
export type FindingId = keyof typeof findingSeverities

/** Something that a signer must see. `evidence` names the values at fault; `call` says where in the tree, as `2.0`. */
export type Finding = { id: FindingId; severity: Severity; evidence: Record<string, string> }

/**
 * Every check, and what the verdict `matches` needs of it: `essential` ones must pass, `advisory` ones must not fail,
 * `unavailable` ones are listed so that nobody takes them for done.
 */
export const checkIds = {
  /** The hash, computed from the ten fields, is the one claimed. */
  hash: 'essential',
  /** The Safe's state was read from the chain. */
  state: 'essential',
  /** The singleton is an official release, and says so. */
  singleton: 'essential',
  /** Every signature is a current owner's, on this hash. */
  signatures: 'essential',
  /** Every byte is accounted for, in the canonical encoding, within the budget. */
  encoding: 'essential',
  /** Every delegatecall is to a known library, compared by code. */
  delegatecall: 'essential',
  /** All called functions are known and are what they seem. */
  functions: 'essential',
  /** Changes of the Safe itself are none, or explained. */
  settings: 'advisory',
  /** Gas refund fields. */
  refund: 'advisory',
  /** The nonce can still be executed. */
  nonce: 'advisory',
  /** Contracts called have code. */
  code: 'advisory',
  /** Addresses do not imitate each other. */
  addresses: 'advisory',
  /** The Safe's own `getTransactionHash` agrees. */
  'chain-hash': 'advisory',
  /** Effects seen by running it. Not in this version. */
  simulation: 'unavailable',
  /** A second node agrees. Not in this version. */
  'second-source': 'unavailable',
  /** Tokens are on lists of the operator. Not in this version. */
  'token-lists': 'unavailable',
  /** How long the called contracts exist. Not in this version. */
  'contract-age': 'unavailable',
} as const

/** Name of a check. */
export type CheckId = keyof typeof checkIds

/** What became of a check. A missing input is `not-checked`, never passed. */
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

/** The code at an address: keccak256 of it, and its size in bytes. */
export type Code = { codeHash: Hex; size: number }

/** Everything that a review looks at. What is missing is reported as not checked. */
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
  /** ABIs that somebody gave, for functions that are not on Countersign's own list. */
  abis?: readonly GivenAbi[] | undefined
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
