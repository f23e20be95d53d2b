import { encodeSafeTxPreimage, parseSignature, type ReviewInput, type SafeTxContext } from '@countersign/safe-core'
import { encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import type { RpcRequest } from '../api/chain-client.ts'
import { askContractOwners, callOrRevert, type Signed } from './ask-contract.ts'

/** What only the chain can tell of confirmations. */
export type SignatureFacts = Required<Pick<ReviewInput, 'contractSignatures' | 'approvedHashes'>>

export const noSignatureFacts: SignatureFacts = { contractSignatures: {}, approvedHashes: {} }

const approvals = parseAbi(['function approvedHashes(address, bytes32) view returns (uint256)'])

/** Those that a key cannot be recovered from. */
export function onChainSignatures(confirmations: readonly Signed[]): Signed[] {
  return confirmations.filter(({ signature }) => {
    const kind = kindOf(signature)
    return kind === 'CONTRACT_SIGNATURE' || kind === 'APPROVED_HASH'
  })
}

/** Whether an answer that was asked for is not a plain yes: it may become one. */
export function hasOpenAnswer(...answers: readonly SignatureFacts['contractSignatures'][]): boolean {
  return answers.some((answer) => Object.values(answer ?? {}).some((value) => value !== true))
}

/** Asks owners that are contracts, as the Safe itself would, and the Safe which of them approved the hash on the chain. */
export async function readSignatureFacts(
  request: RpcRequest,
  context: SafeTxContext,
  confirmations: readonly Signed[],
): Promise<SignatureFacts> {
  const { safeAddress, version } = context
  const preimage = encodeSafeTxPreimage(context)
  const hash = keccak256(preimage)
  const approvers = confirmations.filter(({ signature }) => kindOf(signature) === 'APPROVED_HASH')
  const [contractSignatures, approved] = await Promise.all([
    askContractOwners(request, { safeAddress, version, hash, preimage }, confirmations),
    Promise.all(
      approvers.map(async ({ owner }) => {
        const data = encodeFunctionData({ abi: approvals, args: [owner, hash] })
        const answer = await callOrRevert(request, { to: safeAddress, data })
        return [owner.toLowerCase(), answer && answer.length === 66 ? BigInt(answer) !== 0n : undefined] as const
      }),
    ),
  ])
  return { contractSignatures, approvedHashes: Object.fromEntries(approved) }
}

function kindOf(signature: Hex) {
  try {
    return parseSignature(signature).signatureType
  } catch {
    return null
  }
}
