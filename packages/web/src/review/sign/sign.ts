import { hashSubject, reviewReturnedSignature, subjectTypedData, writtenEvidence } from '@countersign/review'
import { normalizeSignature } from '@countersign/safe'
import type { Hex } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Signer } from '../../wallet/signing.ts'
import { hashMismatch } from '../subject.ts'
import type { CheckedAgain } from './check-again.ts'

/** The step that is under way between the button and what is stored. */
export type SigningStep = 'checking' | 'wallet' | 'sending'

/** @throws CountersignError `WALLET_NOT_CONNECTED` */
export function requireSigner(signer: Signer | null): Signer {
  if (signer) return signer
  throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
}

/**
 * Asks the wallet for a signature on what was reviewed, and believes nothing: the signature that comes back must be the
 * account's, on the reviewed hash.
 *
 * @throws CountersignError `SIGNER_IS_NOT_ACCOUNT`, `SAFE_TX_HASH_MISMATCH`, `MESSAGE_HASH_MISMATCH`, and the wallet's errors
 */
export async function signSubject(
  signer: Signer,
  { request: { subject }, review, state }: Pick<CheckedAgain, 'request' | 'state'> & { review: { hash: Hex } },
): Promise<Hex> {
  const { hash } = hashSubject(subject, state)
  if (hash !== review.hash) throw fail(hashMismatch[subject.kind], { reason: 'signing', received: hash })
  const signature = normalizeSignature(await signer.signTypedData(subjectTypedData(subject, state)))
  const found = await reviewReturnedSignature(hash, signature, signer.account)
  if (found !== null) throw signerIsNotAccount(signer, writtenEvidence(found.evidence))
  return signature
}

/** The wallet returned the signature of another account, or of none. */
function signerIsNotAccount({ account, walletName: wallet }: Signer, evidence: Record<string, string>) {
  const { recovered } = evidence
  return recovered
    ? fail('SIGNER_IS_NOT_ACCOUNT', { ...evidence, reason: 'other', wallet, recovered, account })
    : fail('SIGNER_IS_NOT_ACCOUNT', { ...evidence, reason: 'nobody', wallet, account })
}
