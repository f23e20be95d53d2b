import {
  type CountersignError,
  domainVersion,
  hashSafeTx,
  normalizeSignature,
  reviewReturnedSignature,
  safeTxTypedData,
} from '@countersign/safe-core'
import type { Hex } from 'viem'
import { fail } from '../text/fail.ts'
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
    throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'signing', received: safeTxHash })
  const returned = await signer.signTypedData(safeTxTypedData(context))
  const signature = normalizeSignature(returned)
  const found = await reviewReturnedSignature(safeTxHash, signature, signer.account)
  if (found !== null) throw signerIsNotAccount(signer, found.evidence)
  return signature
}

/** The wallet returned the signature of another account, or of none. */
export function signerIsNotAccount(
  { walletName: wallet, account }: Signer,
  evidence: { recovered?: string | undefined },
): CountersignError {
  const { recovered } = evidence
  return recovered
    ? fail('SIGNER_IS_NOT_ACCOUNT', { ...evidence, reason: 'other', wallet, recovered, account })
    : fail('SIGNER_IS_NOT_ACCOUNT', { ...evidence, reason: 'nobody', wallet, account })
}
