import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { domainVersion, type SafeState } from '../safe/safe-state.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import { encodeMessageContent, type MessageContent } from '../signing/safe-message.ts'
import { newSafeTx, type SafeTx } from '../signing/safe-tx.ts'

const signMessageAbi = parseAbi(['function signMessage(bytes data)'])

/**
 * The transaction by which a Safe signs a message itself, on the chain: from 1.3.0 on by SignMessageLib, before by its own
 * function. Applications that ask `isValidSignature` with an empty signature are then told yes, for ever.
 *
 * @param library - a release of SignMessageLib whose code the chain has; null when it has none.
 * @returns null where a library is needed and there is none.
 * @throws CountersignError `FIELD_MALFORMED` when the content cannot be hashed in its encoding.
 * @example
 * newSigningOnChain({ encoding: 'EIP191_TEXT', text: 'hello' }, state, { nonce: 4n, library: deployment.address })
 */
export function newSigningOnChain(
  content: MessageContent,
  safe: Pick<SafeState, 'address' | 'version' | 'reportedVersion'>,
  { nonce, library }: { nonce: bigint; library: Address | null },
): SafeTx | null {
  const data = encodeFunctionData({ abi: signMessageAbi, args: [encodeMessageContent(content)] })
  if (isVersionBefore(domainVersion(safe), 1, 3)) return newSafeTx({ to: safe.address, data, nonce })
  return library && newSafeTx({ to: library, data, operation: 1, nonce })
}
