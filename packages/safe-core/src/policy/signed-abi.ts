import { type Address, type Hex, hashTypedData, keccak256, stringToBytes } from 'viem'
import type { RpcRequest } from '../safe-state.ts'
import { type PolicySignature, policySigners } from './policy-signatures.ts'
import type { PolicyPlace } from './team-policy.ts'

/** An ABI that an owner gives for a contract, or endorses: the text as it is, whatever it is called. */
export type EndorsedAbi = PolicyPlace & { contract: Address; abi: string }

const types = {
  AbiEndorsement: [
    { name: 'contractAddress', type: 'address' },
    { name: 'abiHash', type: 'bytes32' },
  ],
} as const

/**
 * The EIP-712 typed data that an owner's wallet signs to give an ABI, or to endorse one. The wallet shows the hash of the text.
 *
 * @example
 * const signature = await wallet.signTypedData(abiTypedData({ chainId, safeAddress, contract, abi }))
 */
export function abiTypedData({ chainId, safeAddress, contract, abi }: EndorsedAbi) {
  return {
    // Name and version set it apart from the domain of the Safe itself, and from that of its policy.
    domain: { name: 'Countersign ABI', version: '1', chainId: BigInt(chainId), verifyingContract: safeAddress },
    types,
    primaryType: 'AbiEndorsement' as const,
    message: { contractAddress: contract, abiHash: keccak256(stringToBytes(abi)) },
  }
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
 * Whether an account signed an ABI: its key, or its contract (ERC-1271), which is asked.
 *
 * @param request the way to the chain; without it no contract is asked, and its signature does not count
 * @example
 * const isSigned = await isAbiSigned(entry, { owner: entry.author, signature }, request)
 */
export async function isAbiSigned(
  endorsed: EndorsedAbi,
  signature: PolicySignature,
  request?: RpcRequest,
): Promise<boolean> {
  return (await policySigners(hashAbi(endorsed), [signature], request)).length > 0
}
