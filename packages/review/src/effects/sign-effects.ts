import { isSameAddress } from '@countersign/safe'
import { recoverTypedDataAddress, type TypedData, type TypedDataDefinition } from 'viem'
import { type DeclaredEffects, type Effects, type EffectsPlace, effectParts } from './declared-effects.ts'

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

/** Types of a declaration in which each slot says whether it may differ. */
const looseTypes = {
  ...effectTypes,
  SlotChange: [...effectTypes.SlotChange, { name: 'mayDiffer', type: 'bool' }],
} as const

/**
 * Returns the EIP-712 data of a declaration. The domain of a Safe has no name and no version. This one has both, so the
 * signature cannot be used as a confirmation.
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
 * Whether the author signed the declaration for this transaction with a key. A signature of a contract does not count.
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
