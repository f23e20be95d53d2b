import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

/** Slots that `execTransaction` reads itself, in every release from 1.0.0 on (verified on their storage layouts). */
export const safeSlots = {
  singleton: numbered(0n),
  threshold: numbered(4n),
  nonce: numbered(5n),
  /** Before 1.3.0. */
  domainSeparator: numbered(6n),
  /** Since 1.3.0: keccak256 of `guard_manager.guard.address`. */
  guard: '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8',
} as const satisfies Record<string, Hex>

const OWNERS = 2n
const APPROVED_HASHES = 8n

/** Slot of an owner in the list of owners. */
export function ownerSlot(owner: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, OWNERS]))
}

/** Slot of `approvedHashes[owner][hash]`. */
export function approvalSlot(owner: Address, hash: Hex): Hex {
  const ofOwner = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, APPROVED_HASHES]))
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [hash, ofOwner]))
}

function numbered(slot: bigint): Hex {
  return numberToHex(slot, { size: 32 })
}
