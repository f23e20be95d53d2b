import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256, zeroAddress, zeroHash } from 'viem'

/** Kinds of things that an entry lets through: code that runs as the Safe, or a contract that gets a power over it. */
export const allowEntryKinds = ['delegatecall', 'module', 'handler', 'guard'] as const

/** Kind of an allow entry. */
export type AllowEntryKind = (typeof allowEntryKinds)[number]

/**
 * One contract that the team allows. Everything must fit: address, code, for a proxy the code behind it, and for a
 * delegatecall the function. Calls inside a delegatecall are never allowed by it.
 */
export type AllowEntry = {
  kind: AllowEntryKind
  address: Address
  /** keccak256 of the code at the address. */
  codeHash: Hex
  /** Where a proxy passes its calls on to; null for a contract that is no proxy. */
  implementation: Address | null
  /** keccak256 of the code there; null for a contract that is no proxy. */
  implementationCodeHash: Hex | null
  /** Four bytes; null unless the kind is `delegatecall`. */
  selector: Hex | null
  /** The team's name for it. A claim. */
  name: string
}

/** An amount of one asset, in its base units. The zero address is the native coin. */
export type AssetAmount = { asset: Address; amount: bigint }

/** At most so much of an asset within any period of so many seconds, executed and queued together. */
export type AmountLimit = AssetAmount & { period: number }

/**
 * An owner without whom confirmations do not complete a transaction: one that moves more than `above` base units of
 * `asset`; every transaction where `asset` is null.
 */
export type RequiredReviewer = { reviewer: Address; asset: Address | null; above: bigint }

/** An agreement of a team about its Safe: one numbered version, bound to its chain and its predecessor. */
export type TeamPolicy = {
  chainId: number
  safeAddress: Address
  /** 1, 2, 3 … */
  number: number
  /** Hash of the version before; 32 zero bytes for the first one. */
  previousHash: Hex
  /** Why, in the words of the proposer. A claim. */
  reason: string
  allowed: readonly AllowEntry[]
  /** The greatest refund to whoever executes. Where there is one, a refund in any other asset is over the limit. */
  refundLimits: readonly AssetAmount[]
  amountLimits: readonly AmountLimit[]
  reviewers: readonly RequiredReviewer[]
  /** Whether assets and rights may go to `recipients` and the Safe alone. */
  recipientsOnly: boolean
  recipients: readonly Address[]
  /** Whether no code but batches and allowed entries may run as the Safe. */
  noDelegatecall: boolean
}

/** Base units that were executed within the period of a limit, and that are queued beside a transaction. */
export type SpentAmount = { asset: Address; period: number; executed: bigint; queued: bigint }

/** Which Safe a policy is of. */
export type PolicyPlace = Pick<TeamPolicy, 'chainId' | 'safeAddress'>

const entryType = [
  { name: 'kind', type: 'string' },
  { name: 'contractAddress', type: 'address' },
  { name: 'codeHash', type: 'bytes32' },
  { name: 'implementation', type: 'address' },
  { name: 'implementationCodeHash', type: 'bytes32' },
  { name: 'selector', type: 'bytes4' },
  { name: 'name', type: 'string' },
] as const

const policyTypes = {
  Policy: [
    { name: 'number', type: 'uint256' },
    { name: 'previousHash', type: 'bytes32' },
    { name: 'reason', type: 'string' },
    { name: 'allowed', type: 'AllowEntry[]' },
    { name: 'refundLimits', type: 'AssetAmount[]' },
    { name: 'amountLimits', type: 'AmountLimit[]' },
    { name: 'reviewers', type: 'RequiredReviewer[]' },
    { name: 'recipientsOnly', type: 'bool' },
    { name: 'recipients', type: 'address[]' },
    { name: 'noDelegatecall', type: 'bool' },
  ],
  AllowEntry: entryType,
  AssetAmount: [
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  AmountLimit: [
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'period', type: 'uint256' },
  ],
  RequiredReviewer: [
    { name: 'reviewer', type: 'address' },
    { name: 'everyTransaction', type: 'bool' },
    { name: 'asset', type: 'address' },
    { name: 'above', type: 'uint256' },
  ],
} as const

const withdrawalTypes = {
  PolicyWithdrawal: [
    { name: 'policyHash', type: 'bytes32' },
    { name: 'entryHash', type: 'bytes32' },
  ],
} as const

/** Name and version set it apart from the domain of the Safe itself: no signature of one is one of the other. */
function domainOf({ chainId, safeAddress }: PolicyPlace) {
  return { name: 'Countersign team policy', version: '1', chainId: BigInt(chainId), verifyingContract: safeAddress }
}

function entryWords({ implementation, implementationCodeHash, selector, address, ...entry }: AllowEntry) {
  return {
    ...entry,
    contractAddress: address,
    implementation: implementation ?? zeroAddress,
    implementationCodeHash: implementationCodeHash ?? zeroHash,
    selector: selector ?? ('0x00000000' as const),
  }
}

/**
 * The EIP-712 typed data that an owner's wallet signs to approve a policy.
 *
 * @example
 * const signature = await wallet.signTypedData(policyTypedData(policy))
 */
export function policyTypedData(policy: TeamPolicy) {
  const { number, previousHash, reason, recipientsOnly, recipients, noDelegatecall } = policy
  return {
    domain: domainOf(policy),
    types: policyTypes,
    primaryType: 'Policy' as const,
    message: {
      number: BigInt(number),
      previousHash,
      reason,
      recipientsOnly,
      recipients,
      noDelegatecall,
      allowed: policy.allowed.map(entryWords),
      refundLimits: policy.refundLimits,
      amountLimits: policy.amountLimits.map(({ period, ...limit }) => ({ ...limit, period: BigInt(period) })),
      reviewers: policy.reviewers.map(({ reviewer, asset, above }) => ({
        reviewer,
        everyTransaction: asset === null,
        asset: asset ?? zeroAddress,
        above,
      })),
    },
  }
}

/**
 * The EIP-712 hash of a policy: what its owners sign, what the next version names, and what people compare.
 *
 * @param policy as `parsePolicy` gives it
 * @example
 * const isSame = hashPolicy(policy) === seen.hash
 */
export function hashPolicy(policy: TeamPolicy): Hex {
  return hashTypedData(policyTypedData(policy))
}

/**
 * Names an allow entry by all that it says, for its withdrawal.
 *
 * @example
 * const entryHash = hashAllowEntry(policy.allowed[0])
 */
export function hashAllowEntry(entry: AllowEntry): Hex {
  const { kind, contractAddress, codeHash, implementation, implementationCodeHash, selector, name } = entryWords(entry)
  const words = [kind, contractAddress, codeHash, implementation, implementationCodeHash, selector, name] as const
  return keccak256(encodeAbiParameters(entryType, words))
}

/** An entry of one version that an owner takes back. */
export type PolicyWithdrawal = PolicyPlace & { policyHash: Hex; entryHash: Hex }

/**
 * The EIP-712 typed data that an owner's wallet signs to withdraw an allow entry.
 *
 * @example
 * const signature = await wallet.signTypedData(withdrawalTypedData({ chainId, safeAddress, policyHash, entryHash }))
 */
export function withdrawalTypedData({ policyHash, entryHash, ...place }: PolicyWithdrawal) {
  return {
    domain: domainOf(place),
    types: withdrawalTypes,
    primaryType: 'PolicyWithdrawal' as const,
    message: { policyHash, entryHash },
  }
}

/**
 * The EIP-712 hash of a withdrawal, as its owner signs it.
 *
 * @example
 * const hash = hashWithdrawal({ chainId, safeAddress, policyHash, entryHash })
 */
export function hashWithdrawal(withdrawal: PolicyWithdrawal): Hex {
  return hashTypedData(withdrawalTypedData(withdrawal))
}
