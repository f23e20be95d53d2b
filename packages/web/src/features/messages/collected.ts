import type { MessageReview, ReviewedConfirmation } from '@countersign/review'
import {
  callContract,
  decodeContractAnswer,
  encodeContractQuestion,
  encodeSignatures,
  isBoundToChain,
  type RpcRequest,
  type SafeState,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** The signature of the Safe: as many as it asks for, those of keys first, since a contract may change its mind. */
export type Collected = { signature: Hex; owners: readonly Address[]; hash: Hex; isLegacy: boolean }

/** Null: too few are valid. */
export function collectSignature(
  { hashes, confirmations }: Pick<MessageReview, 'hashes' | 'confirmations'>,
  state: SafeState,
): Collected | null {
  const isOfKey = ({ signatureType }: ReviewedConfirmation) => signatureType !== 'CONTRACT_SIGNATURE'
  const valid = confirmations.filter(({ status }) => status === 'valid')
  const used = [...valid.filter(isOfKey), ...valid.filter((signature) => !isOfKey(signature))].slice(0, state.threshold)
  if (used.length < state.threshold) return null
  return {
    signature: encodeSignatures(used),
    owners: used.map(({ owner }) => owner),
    hash: hashes.message,
    isLegacy: !isBoundToChain(state),
  }
}

export type CollectedVerdict = 'accepted' | 'refused' | 'unknown'

/** Asks the Safe on the chain, as an application does. */
export async function checkCollected(
  request: RpcRequest,
  safeAddress: Address,
  { signature, hash, isLegacy }: Collected,
): Promise<CollectedVerdict> {
  const asks = isLegacy ? 'bytes' : 'bytes32'
  const data = encodeContractQuestion({ owner: safeAddress, asks, data: hash, signature })
  const answer = await callContract(request, { to: safeAddress, data })
  if (answer === undefined) return 'unknown'
  return decodeContractAnswer(isLegacy ? '1.1.1' : '1.5.0', answer) === 'accepts' ? 'accepted' : 'refused'
}
