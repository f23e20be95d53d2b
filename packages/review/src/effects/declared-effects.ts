import type { Address, Hex } from 'viem'

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
