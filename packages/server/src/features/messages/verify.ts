import { fail } from '@countersign/contract'
import {
  encodeSafeMessagePreimage,
  messageQuestionData,
  parseSignature,
  type SafeMessageContext,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Chain } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../signatures/verify-owner-signatures.ts'

/**
 * Whose confirmation of a message a signature is: one owner's, of `mustSign` when that is given. An owner that is a contract is
 * asked as it will be when somebody verifies the message: in the words of the Safe's fallback handler.
 *
 * @throws CountersignError `ACCOUNT_MISMATCH`, and those of verifying signatures.
 */
export async function verifyMessageSignature(
  { chain, state, mustSign }: { chain: Chain; state: SafeReading; mustSign: Address | null },
  { safeMessageHash, signature, ...context }: SafeMessageContext & { safeMessageHash: Hex; signature: Hex },
): Promise<VerifiedSignature> {
  const asked = messageQuestionData(context, state.fallbackHandler)
  if (asked === null && isOfContract(signature))
    throw fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason: 'handler', fallbackHandler: state.fallbackHandler ?? 'none' })
  const preimage = asked ?? encodeSafeMessagePreimage(context)
  const [signed, ...others] = await verifyOwnerSignatures(chain, {
    state,
    hash: safeMessageHash,
    preimage,
    signatures: signature,
    hasApprovals: false,
  })
  if (!signed || others.length > 0) throw fail('SIGNATURE_MALFORMED', { reason: 'several', count: others.length + 1 })
  if (mustSign !== null && signed.owner !== mustSign)
    throw fail('ACCOUNT_MISMATCH', { reason: 'signature', signer: signed.owner, account: mustSign })
  return signed
}

function isOfContract(signature: Hex): boolean {
  try {
    return parseSignature(signature).signatureType === 'CONTRACT_SIGNATURE'
  } catch {
    return false
  }
}
