import { type Address, type Hex, hashMessage, recoverAddress, slice } from 'viem'
import { assertHash } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import { parseSignature, type SignatureType } from './signature.ts'

/** An owner's signature on a safeTxHash, or on a safeMessageHash. */
export type Confirmation = { owner: Address; signature: Hex; signatureType: SignatureType }

/** Signatures of a list that are looked at: thousands must not keep a browser busy for ever. */
export const MAX_CONFIRMATIONS = 500

/**
 * Finds whose confirmation a signature is. ECDSA signatures are recovered; approved hashes and contract signatures only
 * *name* their owner and prove nothing without the chain: see `signatureType`.
 *
 * @param safeTxHash - the hash of the transaction under review, computed here, not received; or a safeMessageHash.
 * @returns the signer and the signature with `v` as the Safe expects it (27/28, or 31/32 for `eth_sign`).
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_KIND_NOT_SUPPORTED`, `SIGNATURE_INVALID`; `FIELD_MALFORMED`
 * when the hash is none.
 * @example
 * (await recoverConfirmation(hashSafeTx(context).safeTxHash, signature)).owner
 */
export async function recoverConfirmation(safeTxHash: Hex, signature: Hex): Promise<Confirmation> {
  assertHash('safeTxHash', safeTxHash)
  const parsed = parseSignature(signature)
  if ('owner' in parsed) {
    return { owner: parsed.owner, signatureType: parsed.signatureType, signature: parsed.signature }
  }
  const isEthSign = parsed.signatureType === 'ETH_SIGN'
  const hash = isEthSign ? hashMessage({ raw: safeTxHash }) : safeTxHash
  const v = isEthSign ? parsed.v - 4 : parsed.v
  try {
    const owner = await recoverAddress({ hash, signature: `${slice(parsed.signature, 0, 64)}${v.toString(16)}` })
    return { owner, signatureType: parsed.signatureType, signature: parsed.signature }
  } catch (cause) {
    throw fail('SIGNATURE_INVALID', { reason: 'key', signature, safeTxHash }, cause)
  }
}
