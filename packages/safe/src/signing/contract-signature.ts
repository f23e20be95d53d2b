import { type Address, encodeFunctionData, type Hex, parseAbi, size, slice } from 'viem'
import { assertBytes, assertHash } from '../abi/abi-word.ts'
import { type Deployment, deploymentAt } from '../deployments/deployments.ts'
import { fail } from '../error-sentences.ts'
import { type Permission, refuse } from '../permissions.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import {
  encodeSafeMessagePreimage,
  hashSafeMessage,
  type MessageContent,
  type SafeMessageContext,
} from './safe-message.ts'
import { encodeSafeTxPreimage, hashSafeTx, type SafeTxContext } from './safe-tx.ts'

/** Question of a Safe to an owner that is a contract: does it confirm? (ERC-1271 and its predecessor) */
export type ContractQuestion = {
  owner: Address
  /** `bytes` up to Safe 1.4.1: what was hashed. `bytes32` from 1.5.0: the hash. */
  asks: 'bytes' | 'bytes32'
  /** Bytes that were hashed, or the hash. */
  data: Hex
  /** The owner's own signature, as its contract understands it. */
  signature: Hex
}

/**
 * Result of a question. `reverts` is everything that ends the Safe's own call: the owner reverts, has no code, or
 * gives back less than a word.
 */
export type ContractAnswer = 'accepts' | 'rejects' | 'reverts'

const legacyAbi = parseAbi(['function isValidSignature(bytes data, bytes signature)'])
const currentAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature)'])
const LEGACY_MAGIC = '0x20c13b0b'
const MAGIC = '0x1626ba7e'

/**
 * The calldata of the question, for an `eth_call` from the Safe to `question.owner`.
 *
 * @throws CountersignError `FIELD_MALFORMED` when data or signature are no bytes, or the hash is not of 32.
 * @example
 * request({ method: 'eth_call', params: [{ from: safeAddress, to: question.owner, data: encodeContractQuestion(question) }] })
 */
export function encodeContractQuestion({ asks, data, signature }: ContractQuestion): Hex {
  assertBytes('signature', signature)
  if (asks === 'bytes') assertBytes('data', data)
  else assertHash('data', data)
  return asks === 'bytes'
    ? encodeFunctionData({ abi: legacyAbi, args: [data, signature] })
    : encodeFunctionData({ abi: currentAbi, args: [data, signature] })
}

/**
 * Reads what the owner gave back, as a Safe of this version does.
 *
 * @param version - of the Safe that asks, not of the owner.
 * @param returned - the bytes given back; null when the call reverted or the owner has no code.
 * @example
 * decodeContractAnswer('1.5.0', returned) // accepts
 */
export function decodeContractAnswer(version: string, returned: Hex | null): ContractAnswer {
  if (returned === null || size(returned) < 32) return 'reverts'
  // Safe 0.1.0 expects a bool, and takes any bit for true.
  if (isVersionBefore(version, 1, 0)) return BigInt(slice(returned, 0, 32)) === 0n ? 'rejects' : 'accepts'
  const magic = isVersionBefore(version, 1, 5) ? LEGACY_MAGIC : MAGIC
  return slice(returned, 0, 4) === magic ? 'accepts' : 'rejects'
}

/**
 * The question that a Safe of this version asks about a hash.
 *
 * @param facts - `preimage` is what was hashed.
 * @example
 * contractQuestion('1.4.1', { owner, hash: safeTxHash, preimage: encodeSafeTxPreimage(context), signature }).asks // bytes
 */
export function contractQuestion(
  version: string,
  { owner, hash, preimage, signature }: { owner: Address; hash: Hex; preimage: Hex; signature: Hex },
): ContractQuestion {
  return isVersionBefore(version, 1, 5)
    ? { owner, asks: 'bytes', data: preimage, signature }
    : { owner, asks: 'bytes32', data: hash, signature }
}

/**
 * Gives the content that the owners of a nested Safe sign, so that it confirms a transaction of its parent: a
 * SafeMessage over the 66 bytes that make up the safeTxHash; over the safeTxHash itself when the parent is 1.5.0.
 *
 * @param parent - the transaction, with the version of the parent.
 * @returns the content for {@link hashSafeMessage} in the nested Safe's own address and version.
 * @throws CountersignError `FIELD_MALFORMED` when a field of the transaction is impossible.
 * @example
 * const content = nestedContentForSafeTx(parent)
 * hashSafeMessage({ chainId, safeAddress: nested, version: nestedVersion, content }).safeMessageHash
 */
export function nestedContentForSafeTx(parent: SafeTxContext): MessageContent {
  return isVersionBefore(parent.version, 1, 5)
    ? { encoding: 'RAW', bytes: encodeSafeTxPreimage(parent) }
    : { encoding: 'RAW', bytes: hashSafeTx(parent).safeTxHash }
}

/**
 * Gives the content that the owners of a nested Safe sign, so that it confirms a message of its parent. Before 1.3.0
 * the parent itself answers `isValidSignature` and passes the message on as it is, as the handler of 1.3.0 does; the
 * handlers of 1.4.0 and 1.4.1 pass on the 66 bytes that make up the safeMessageHash; a parent of 1.5.0 asks about the
 * safeMessageHash.
 *
 * A parent of 1.4.0 or 1.4.1 with the handler of 1.3.0 refuses every contract signature under a message (GS027).
 *
 * @param handlerVersion - of the parent's CompatibilityFallbackHandler; of no matter before 1.3.0.
 * @throws CountersignError `FIELD_MALFORMED` when a field of the message is impossible.
 * @example
 * const content = nestedContentForSafeMessage(parent, '1.4.1')
 * hashSafeMessage({ chainId, safeAddress: nested, version: nestedVersion, content }).safeMessageHash
 */
export function nestedContentForSafeMessage(parent: SafeMessageContext, handlerVersion: string): MessageContent {
  const { message, safeMessageHash } = hashSafeMessage(parent)
  if (!isVersionBefore(parent.version, 1, 5)) return { encoding: 'RAW', bytes: safeMessageHash }
  if (isVersionBefore(parent.version, 1, 3) || isVersionBefore(handlerVersion, 1, 4)) {
    return { encoding: 'RAW', bytes: message }
  }
  return { encoding: 'RAW', bytes: encodeSafeMessagePreimage(parent) }
}

/**
 * Gives the bytes about which an owner that is a contract is asked when somebody verifies a message of the Safe by
 * `isValidSignature`: those of {@link nestedContentForSafeMessage}, for the handler that the Safe has.
 *
 * @param fallbackHandler - of the Safe, as its storage names it.
 * @returns null when no such question ever reaches an owner: the Safe has no official handler, or one of a release that
 * does not fit its own.
 * @throws CountersignError `FIELD_MALFORMED` when a field of the message is impossible.
 * @example
 * const data = messageQuestionData({ chainId, safeAddress, version, content }, state.fallbackHandler)
 */
export function messageQuestionData(parent: SafeMessageContext, fallbackHandler: Address | null): Hex | null {
  const { version } = parent
  const handler = fallbackHandler === null ? null : deploymentAt(fallbackHandler)
  const bytesFor = (handlerVersion: string) => {
    const content = nestedContentForSafeMessage(parent, handlerVersion)
    return content.encoding === 'RAW' ? content.bytes : null
  }
  if (isVersionBefore(version, 1, 3)) return bytesFor(version)
  if (handler === null || !/^(?:Compatibility|Extensible)FallbackHandler$/.test(handler.name)) return null
  const isNewHandler = !isVersionBefore(handler.version, 1, 5)
  if (isVersionBefore(version, 1, 5) && isNewHandler) return null
  const isVersion14 = !isVersionBefore(version, 1, 4) && isVersionBefore(version, 1, 5)
  if (isVersion14 && isVersionBefore(handler.version, 1, 4)) return null
  return bytesFor(handler.version)
}

/**
 * Whether a Safe that is an owner of another Safe can confirm by the signatures of its own owners: whether the question
 * of the one finds an answer in the other. It can always confirm by `approveHash`, as a transaction of its own.
 * An ExtensibleFallbackHandler answers as long as nobody has set another verifier in it.
 *
 * Reason: `SIGNATURE_KIND_NOT_SUPPORTED`.
 *
 * @param safes - `nestedHandler`: the official fallback handler of the nested Safe; null when it has none, or another one.
 * @example
 * const nestedHandler = lookupDeployment(state.fallbackHandler, codeHash)
 * canConfirmAsNestedSafe({ parentVersion: '1.4.1', nestedVersion: '1.5.0', nestedHandler }).ok
 */
export function canConfirmAsNestedSafe(safes: {
  parentVersion: string
  nestedVersion: string
  nestedHandler: Pick<Deployment, 'name' | 'version'> | null
}): Permission {
  const { parentVersion, nestedVersion, nestedHandler } = safes
  const cannot = (reason: 'old-parent' | 'oldest-owner' | 'new-parent') =>
    refuse(fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason, parentVersion, nestedVersion }))
  const isCoreAnswering = isVersionBefore(nestedVersion, 1, 3)
  const { name, version: handlerVersion } = nestedHandler ?? { name: '', version: '' }
  const isOldHandler = name === 'CompatibilityFallbackHandler' && isVersionBefore(handlerVersion, 1, 5)
  const isNewHandler =
    (name === 'CompatibilityFallbackHandler' && !isOldHandler) || name === 'ExtensibleFallbackHandler'

  if (isVersionBefore(parentVersion, 1, 5)) {
    if (!isCoreAnswering && !isOldHandler) {
      return cannot('old-parent')
    }
    if (isVersionBefore(nestedVersion, 1, 0) && !isVersionBefore(parentVersion, 1, 0)) {
      return cannot('oldest-owner')
    }
    return { ok: true }
  }
  // The old handlers pass the question on to isValidSignature(bytes,bytes), which is in the Safe itself before 1.3.0.
  if (isOldHandler && !isVersionBefore(nestedVersion, 1, 1)) return { ok: true }
  if (isNewHandler && !isVersionBefore(nestedVersion, 1, 5)) return { ok: true }
  return cannot('new-parent')
}
