import { isSameAddress } from '@countersign/safe'
import { type Address, type Hex, recoverTypedDataAddress, type TypedData, type TypedDataDefinition } from 'viem'

/** Native coin or a token that comes to an account or leaves it, net. */
export type AssetChange = {
  account: Address
  /** The zero address: the chain's own coin. */
  token: Address
  /** An item (ERC-721) or a kind of item (ERC-1155); null for coin and ERC-20. */
  tokenId: bigint | null
  isOut: boolean
  /** In base units, of items their number. */
  amount: bigint
}

/** An allowance as it stands afterwards. For every item of a collection `amount` is 2^256 - 1; revoked it is 0. */
export type ApprovalLeft = { owner: Address; token: Address; spender: Address; tokenId: bigint | null; amount: bigint }

/** A storage slot that changes. */
export type SlotChange = { account: Address; slot: Hex; before: Hex; after: Hex }

/** A slot that is declared to change. `mayDiffer`: by any value; the one that is named is an example. */
export type DeclaredSlot = SlotChange & { mayDiffer?: true | undefined }

/** Parts of a declaration, in the order in which `covers` names them. */
export const effectParts = ['native', 'tokens', 'approvals', 'slots'] as const

/** A part of what changes. */
export type EffectPart = (typeof effectParts)[number]

/** Changes. In each part that `covers` names these and none others; of the other parts it says nothing. */
export type Effects = {
  covers: EffectPart[]
  assets: AssetChange[]
  approvals: ApprovalLeft[]
  slots: DeclaredSlot[]
}

/** Effects as a run shows them, or else as the calls say them. `covers`: the parts of which they tell everything. */
export type ObservedEffects = Effects & {
  /** Calls whose effects their bytes do not tell: `2.0` is the first call inside the third; `refund` the payment for gas. */
  unread: string[]
  /** Slots of other contracts, where it was run; the calls alone do not tell them. */
  otherSlots?: SlotChange[]
}

/** Effects that an owner has signed for one transaction. A claim until a review finds the same. */
export type DeclaredEffects = Effects & { version: 1; author: Address; signature: Hex }

/** Limits of a declaration; `bytes` of its JSON. */
export const effectLimits = { assets: 500, approvals: 200, slots: 200, bytes: 65_536 } as const

/** The one transaction that a declaration is for. */
export type EffectsPlace = { chainId: number; safeAddress: Address; safeTxHash: Hex }

const effectTypes = {
  DeclaredEffects: [
    { name: 'safeTxHash', type: 'bytes32' },
    { name: 'covers', type: 'string' },
    { name: 'assets', type: 'AssetChange[]' },
    { name: 'approvals', type: 'ApprovalLeft[]' },
    { name: 'slots', type: 'SlotChange[]' },
  ],
  AssetChange: [
    { name: 'account', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'tokenId', type: 'string' },
    { name: 'isOut', type: 'bool' },
    { name: 'amount', type: 'uint256' },
  ],
  ApprovalLeft: [
    { name: 'owner', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'tokenId', type: 'string' },
    { name: 'amount', type: 'uint256' },
  ],
  SlotChange: [
    { name: 'account', type: 'address' },
    { name: 'slot', type: 'bytes32' },
    { name: 'before', type: 'bytes32' },
    { name: 'after', type: 'bytes32' },
  ],
} as const

/** Types of a declaration in which a slot may differ: each says of itself whether it may. */
const looseTypes = {
  ...effectTypes,
  SlotChange: [...effectTypes.SlotChange, { name: 'mayDiffer', type: 'bool' }],
} as const

/**
 * EIP-712 data of a declaration. Its domain has a name and a version, which no Safe's domain has: the signature can never
 * be taken for a confirmation.
 *
 * @throws whatever viem throws when a field cannot be hashed
 * @example
 * const signature = await account.signTypedData(effectsTypedData({ chainId, safeAddress, safeTxHash }, effects))
 */
export function effectsTypedData(
  { chainId, safeAddress, safeTxHash }: EffectsPlace,
  { covers, assets, approvals, slots }: Effects,
) {
  const item = <Of extends { tokenId: bigint | null }>(of: Of) => ({
    ...of,
    tokenId: of.tokenId === null ? '' : String(of.tokenId),
  })
  const isLoose = slots.some(({ mayDiffer }) => mayDiffer === true)
  const types: TypedData = isLoose ? looseTypes : effectTypes
  return {
    domain: { name: 'Countersign declared effects', version: '1', chainId, verifyingContract: safeAddress },
    types,
    primaryType: 'DeclaredEffects',
    message: {
      safeTxHash,
      slots: slots.map(({ mayDiffer = false, ...slot }) => (isLoose ? { ...slot, mayDiffer } : slot)),
      covers: effectParts.filter((part) => covers.includes(part)).join(' '),
      assets: assets.map(item),
      approvals: approvals.map(item),
    },
  } as const satisfies TypedDataDefinition<TypedData, 'DeclaredEffects'>
}

/**
 * Whether a declaration is its author's, for this transaction. By a key alone: a contract is not asked.
 *
 * @example
 * if (!(await isOfAuthor({ chainId, safeAddress, safeTxHash }, declared))) ignore(declared)
 */
export async function isOfAuthor(place: EffectsPlace, declared: DeclaredEffects): Promise<boolean> {
  const { signature, author } = declared
  try {
    return isSameAddress(await recoverTypedDataAddress({ ...effectsTypedData(place, declared), signature }), author)
  } catch {
    return false
  }
}
