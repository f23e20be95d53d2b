import {
  hashSafeMessage,
  normalizeSignature,
  reviewReturnedSignature,
  safeMessageTypedData,
} from '@countersign/safe-core'
import type { Hex } from 'viem'
import { signerIsNotAccount } from '../../review/sign-safe-tx.ts'
import type { Signer } from '../../wallet/index.ts'
import { contextOf } from './message-facts.ts'
import type { CheckedMessage } from './use-message-review.ts'

/**
 * Asks the wallet for a signature on what was reviewed, and believes nothing: the signature that comes back must be the
 * account's, on the hash that was shown.
 *
 * @throws CountersignError `SIGNER_IS_NOT_ACCOUNT`, and the wallet's errors
 */
export async function signSafeMessage(
  signer: Signer,
  { request, content, state }: CheckedMessage,
): Promise<{ safeMessageHash: Hex; signature: Hex }> {
  const context = contextOf(request, content, state)
  const { safeMessageHash } = hashSafeMessage(context)
  const signature = normalizeSignature(await signer.signTypedData(safeMessageTypedData(context)))
  const found = await reviewReturnedSignature(safeMessageHash, signature, signer.account)
  if (found !== null) throw signerIsNotAccount(signer, found.evidence)
  return { safeMessageHash, signature }
}
