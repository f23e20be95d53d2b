import {
  CountersignError,
  domainVersion,
  hashSafeTx,
  normalizeSignature,
  reviewReturnedSignature,
  safeTxTypedData,
} from '@countersign/safe-core'
import type { Hex } from 'viem'
import type { Signer } from '../wallet/index.ts'
import type { CheckedAgain } from './use-review.ts'

/** What is under way between the button and the stored confirmation. */
export type SigningStep = 'checking' | 'wallet' | 'sending'

/**
 * Asks the wallet for a signature on what was reviewed, and believes nothing: the signature that comes back must be the
 * account's, on the reviewed hash.
 *
 * @throws CountersignError `SIGNER_IS_NOT_ACCOUNT`, `SAFE_TX_HASH_MISMATCH`, and the wallet's errors
 */
export async function signSafeTx(signer: Signer, { request, review, state }: CheckedAgain): Promise<Hex> {
  const { chainId, safeAddress, safeTx } = request
  const context = { chainId, safeAddress, safeTx, version: domainVersion(state) }
  const { safeTxHash } = hashSafeTx(context)
  if (safeTxHash !== review.hashes.safeTxHash)
    throw new CountersignError('SAFE_TX_HASH_MISMATCH', `\`${safeTxHash}\` is not the reviewed hash.`)
  const returned = await signer.signTypedData(safeTxTypedData(context))
  const signature = normalizeSignature(returned)
  const found = await reviewReturnedSignature(safeTxHash, signature, signer.account)
  if (found !== null)
    throw new CountersignError(
      'SIGNER_IS_NOT_ACCOUNT',
      `The signature of ${signer.walletName} belongs to \`${found.evidence.recovered ?? 'nobody'}\` on the reviewed hash, not to \`${signer.account}\`.`,
      { data: found.evidence },
    )
  return signature
}
