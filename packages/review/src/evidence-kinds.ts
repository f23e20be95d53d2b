import type { Address, Hex } from 'viem'
import type { PolicyRollback } from './policy/policy-in-force.ts'

/** An amount in base units. `asset`: `native`, or the address of the token; null where nothing says of what. */
export type Amount = { value: bigint; asset: string | null }

/** An amount as call data or a message states it: the text need not be a number. */
export type StatedAmount = { text: string; asset: string | null }

/** Every kind of evidence, with the type of its values. */
export type EvidenceTypes = {
  address: Address
  addresses: readonly Address[]
  /** An account as call data, storage or a message writes it: also of another chain, or no address at all. */
  account: string
  accounts: readonly string[]
  /** `native`, or the address of a token as it is written there. */
  asset: string
  assets: readonly string[]
  amount: Amount
  /** An amount that somebody may take; it may be unlimited. */
  allowance: Amount
  'stated-amount': StatedAmount
  /** How many there are, or how large something is: it has no unit of its own. */
  count: number | bigint
  /** How many there are in all, where not each has a finding. */
  total: number
  /** A number that names something, such as a nonce, a chain or an NFT: its digits are never grouped. */
  number: number | bigint
  seconds: number | bigint
  /** A time in Unix seconds as a message states it: the text need not be a number. */
  expiry: string
  /** The number that a bridge has for another chain: its own, or that of the chain. */
  chain: string
  bytes: Hex
  /** Words of somebody else, which prove nothing. */
  claim: string
  /** Names as releases, functions and this package write them. They are the same in every language. */
  text: string
  flag: boolean
  /** A place in the tree of calls. */
  call: readonly number[]
  /** An error code of the Safe's own contracts. */
  'gs-code': string
  /** A restriction of the team's policy. */
  rule: 'amount' | 'recipient' | 'delegatecall' | 'reviewer' | 'refund'
  rollback: PolicyRollback
  /** The reason why an approved hash stays a bare hash. */
  unresolved: 'missing' | 'unread' | 'stranger' | 'cycle' | 'deep' | 'many'
  /** The content of a storage slot of a Safe. */
  slot:
    | 'singleton'
    | 'owners'
    | 'modules'
    | 'ownerCount'
    | 'threshold'
    | 'nonce'
    | 'domainSeparator'
    | 'guard'
    | 'moduleGuard'
    | 'fallbackHandler'
    | 'signedMessages'
    | 'approvedHashes'
    | 'unknown'
  /** It binds an answer to what was known, or chooses a sentence, and is not shown. */
  unshown: string | number
}

/** Kind of a value that a finding names. */
export type EvidenceKind = keyof EvidenceTypes

/** A kind as a row of the catalogue declares it; with a question mark the value may be missing. */
export type EvidenceSpec = EvidenceKind | `${EvidenceKind}?`

/** The kind that a row declares. */
export type KindOf<Spec> = Spec extends `${infer Kind extends EvidenceKind}?` ? Kind : Extract<Spec, EvidenceKind>

/** Evidence that any finding may have: where it is, in whose name, in which approval, and the policy that lowered it. */
export const commonEvidence = {
  to: 'address?',
  call: 'call?',
  actor: 'address?',
  nestedSafe: 'address?',
  nestedHash: 'bytes?',
  nestedMessage: 'bytes?',
  policy: 'number?',
  allowed: 'claim?',
  outcome: 'unshown?',
  case: 'unshown?',
} as const satisfies Record<string, EvidenceSpec>
