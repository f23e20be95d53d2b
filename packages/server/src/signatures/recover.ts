import { createRequire } from 'node:module'
import { fail } from '@countersign/contract'
import { expandCompactSignature, parseSignature, type SignatureType } from '@countersign/safe'
import type * as secp256k1 from 'secp256k1'
import { type Address, getAddress, type Hex, hashMessage, keccak256, recoverAddress } from 'viem'

type Native = Pick<typeof secp256k1, 'ecdsaRecover'>

const native = loadNative()

/** Whether the native library answers, 30 times as fast as the pure one. */
export const usesNativeRecovery = native !== null

/** The bindings alone: the package's own fallback is a slower library than ours. */
function loadNative(): Native | null {
  try {
    const found: Native = createRequire(import.meta.url)('secp256k1/bindings.js')
    return found
  } catch {
    return null
  }
}

/** The address whose key made a signature of a hash, of 65 bytes or of 64 (EIP-2098); null when no key can have. */
export async function recoverSigner(hash: Hex, given: Hex): Promise<Address | null> {
  const signature = expandCompactSignature(given) ?? given
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return null
  const v = Number.parseInt(signature.slice(-2), 16)
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return null
  if (!native) return recoverPure(hash, signature)
  try {
    const compact = Buffer.from(signature.slice(2, 130), 'hex')
    const key = native.ecdsaRecover(compact, recovery, Buffer.from(hash.slice(2), 'hex'), false)
    return getAddress(`0x${keccak256(key.subarray(1)).slice(26)}`)
  } catch {
    return null
  }
}

export async function recoverPure(hash: Hex, signature: Hex): Promise<Address | null> {
  try {
    return await recoverAddress({ hash, signature })
  } catch {
    return null
  }
}

/**
 * Whose confirmation of a transaction a signature is. Only the two kinds that need no chain.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_KIND_NOT_SUPPORTED`, `SIGNATURE_INVALID`.
 */
export async function recoverConfirmationOwner(
  safeTxHash: Hex,
  signature: Hex,
): Promise<{ owner: Address; signature: Hex; signatureType: SignatureType }> {
  const parsed = parseSignature(signature)
  if (parsed.signatureType !== 'EOA' && parsed.signatureType !== 'ETH_SIGN')
    throw fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason: 'unknown', signatureType: parsed.signatureType })
  const isEthSign = parsed.signatureType === 'ETH_SIGN'
  const v = (isEthSign ? parsed.v - 4 : parsed.v).toString(16)
  const owner = await recoverSigner(
    isEthSign ? hashMessage({ raw: safeTxHash }) : safeTxHash,
    `0x${parsed.r.slice(2)}${parsed.s.slice(2)}${v}`,
  )
  if (!owner) throw fail('SIGNATURE_INVALID', { reason: 'key', signature })
  return { owner, signature: parsed.signature, signatureType: parsed.signatureType }
}
