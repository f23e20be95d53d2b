import {
  domainVersion,
  encodeContractQuestion,
  encodeSignatures,
  hashSafeMessage,
  isVersionBefore,
  messageQuestionData,
  type ReviewedConfirmation,
  readContractAnswer,
  type SafeMessageContext,
  type SafeState,
} from '@countersign/safe-core'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { RpcRequest } from '../../api/chain-client.ts'
import { askContractOwners, callOrRevert } from '../../review/ask-contract.ts'

/** What only the chain can tell of a message. */
export type MessageFacts = {
  /** By lower-case owner; undefined where nobody could be asked. */
  contractSignatures: Record<string, boolean | undefined>
  /** Whether a transaction of the Safe has signed it; null where it could not be read. */
  isSignedOnChain: boolean | null
}

export const noMessageFacts: MessageFacts = { contractSignatures: {}, isSignedOnChain: null }

const signedMessages = parseAbi(['function signedMessages(bytes32) view returns (uint256)'])

/** Asks owners that are contracts, as the Safe itself would, and the Safe whether it signed the message on the chain. */
export async function readMessageFacts(
  request: RpcRequest,
  context: SafeMessageContext,
  { fallbackHandler }: Pick<SafeState, 'fallbackHandler'>,
  confirmations: readonly { owner: Address; signature: Hex }[],
): Promise<MessageFacts> {
  const { safeMessageHash } = hashSafeMessage(context)
  const asked = messageQuestionData(context, fallbackHandler)
  const { safeAddress, version } = context
  const place = { safeAddress, version, hash: safeMessageHash }
  const contractSignatures =
    asked === null ? {} : await askContractOwners(request, { ...place, preimage: asked }, confirmations)
  const data = encodeFunctionData({ abi: signedMessages, args: [safeMessageHash] })
  const signed = await callOrRevert(request, { to: context.safeAddress, data })
  return {
    contractSignatures,
    isSignedOnChain: signed && signed.length === 66 ? BigInt(signed) !== 0n : null,
  }
}

/** The signature of the Safe: as many as it asks for, those of keys first, since a contract may change its mind. */
export type Collected = { signature: Hex; owners: readonly Address[]; hash: Hex; isLegacy: boolean }

/** Null: too few are valid. */
export function collectSignature(
  context: SafeMessageContext,
  confirmations: readonly ReviewedConfirmation[],
  threshold: number,
): Collected | null {
  const isOfKey = ({ signatureType }: ReviewedConfirmation) => signatureType !== 'CONTRACT_SIGNATURE'
  const valid = confirmations.filter(({ status }) => status === 'valid')
  const used = [...valid.filter(isOfKey), ...valid.filter((one) => !isOfKey(one))].slice(0, threshold)
  if (used.length < threshold) return null
  return {
    signature: encodeSignatures(used),
    owners: used.map(({ owner }) => owner),
    hash: hashSafeMessage(context).message,
    isLegacy: isVersionBefore(context.version, 1, 3),
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
  const answer = await callOrRevert(request, { to: safeAddress, data })
  if (answer === undefined) return 'unknown'
  return readContractAnswer(isLegacy ? '1.1.1' : '1.5.0', answer) === 'accepts' ? 'accepted' : 'refused'
}

/** Which Safe, in which version, signs this. */
export function contextOf(
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  content: SafeMessageContext['content'],
  state: SafeState | null,
): SafeMessageContext {
  return { chainId, safeAddress, version: state ? domainVersion(state) : '1.4.1', content }
}
