import { type Address, type Hex, hashTypedData, keccak256, stringToBytes } from 'viem'
import type { PolicyPlace } from './team-policy.ts'

/** An ABI that an owner gives for a contract, or endorses: the text as it is, whatever it is called. */
export type EndorsedAbi = PolicyPlace & { contract: Address; abi: string }

/** A name that an owner gives an address, or endorses. */
export type EndorsedName = PolicyPlace & { address: Address; name: string }

const types = {
  AbiEndorsement: [
    { name: 'contractAddress', type: 'address' },
    { name: 'abiHash', type: 'bytes32' },
  ],
  NameEndorsement: [
    { name: 'account', type: 'address' },
    { name: 'name', type: 'string' },
  ],
} as const

/**
 * The EIP-712 typed data that an owner's wallet signs to give an ABI, or to endorse one. The wallet shows the hash of the text.
 *
 * @example
 * const signature = await wallet.signTypedData(abiTypedData({ chainId, safeAddress, contract, abi }))
 */
export function abiTypedData({ contract, abi, ...place }: EndorsedAbi) {
  return {
    domain: domainOf('Countersign ABI', place),
    types: { AbiEndorsement: types.AbiEndorsement },
    primaryType: 'AbiEndorsement' as const,
    message: { contractAddress: contract, abiHash: keccak256(stringToBytes(abi)) },
  }
}

/**
 * The EIP-712 typed data that an owner's wallet signs to name an address, or to endorse a name. The wallet shows both.
 *
 * @example
 * const signature = await wallet.signTypedData(nameTypedData({ chainId, safeAddress, address, name }))
 */
export function nameTypedData({ address, name, ...place }: EndorsedName) {
  return {
    domain: domainOf('Countersign Name', place),
    types: { NameEndorsement: types.NameEndorsement },
    primaryType: 'NameEndorsement' as const,
    message: { account: address, name },
  }
}

/** Name and version set it apart from the domain of the Safe itself, and from that of its policy. */
function domainOf(name: string, { chainId, safeAddress }: PolicyPlace) {
  return { name, version: '1', chainId: BigInt(chainId), verifyingContract: safeAddress }
}

/**
 * The EIP-712 hash of an ABI for a contract, as its owner signs it.
 *
 * @example
 * const hash = hashAbi({ chainId, safeAddress, contract, abi })
 */
export function hashAbi(endorsed: EndorsedAbi): Hex {
  return hashTypedData(abiTypedData(endorsed))
}

/**
 * The EIP-712 hash of a name for an address, as its owner signs it.
 *
 * @example
 * const hash = hashName({ chainId, safeAddress, address, name })
 */
export function hashName(endorsed: EndorsedName): Hex {
  return hashTypedData(nameTypedData(endorsed))
}
