import { CountersignError, fail, isRevert, isSameAddress, type RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, isHex, parseAbi, recoverAddress, size, slice } from 'viem'

/** A signature and whose it is said to be. */
export type PolicySignature = { owner: Address; signature: Hex }

/** More than the owners of any Safe. Of a longer list none counts: the rest could be what matters. */
export const MAX_POLICY_SIGNATURES = 200
/** Bytes; what an owner that is a contract may need for its own owners. */
const MAX_SIGNATURE_SIZE = 16_384

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature)'])
const MAGIC = '0x1626ba7e'

/**
 * Whose signatures on a hash hold: of keys by recovery, of contracts (ERC-1271) by asking them.
 *
 * @param hash by `hashPolicy` or `hashWithdrawal`
 * @param request the way to the chain; without it contracts are not asked, and do not count
 * @returns each account once
 * @throws CountersignError `POLICY_MALFORMED` for more signatures than are looked at; whatever `request` throws, unless the
 *   contract reverts or the block contradicts the answer (`PROOF_INVALID`)
 * @example
 * const signers = await policySigners(hashPolicy(policy), signatures, request)
 */
export async function policySigners(
  hash: Hex,
  signatures: readonly PolicySignature[],
  request?: RpcRequest,
): Promise<Address[]> {
  const { length: count } = signatures
  const limit = MAX_POLICY_SIGNATURES
  if (count > limit) throw fail('POLICY_MALFORMED', { reason: 'many', field: 'signatures', count, limit })
  const verified = await Promise.all(
    signatures.map(async (signature) => ((await isSignedBy(hash, signature, request)) ? signature.owner : null)),
  )
  const signers: Address[] = []
  for (const owner of verified) {
    if (owner !== null && !signers.some((known) => isSameAddress(known, owner))) signers.push(owner)
  }
  return signers
}

async function isSignedBy(hash: Hex, { owner, signature }: PolicySignature, request?: RpcRequest): Promise<boolean> {
  if (!isHex(signature) || size(signature) > MAX_SIGNATURE_SIZE) return false
  if (size(signature) === 65) {
    try {
      if (isSameAddress(await recoverAddress({ hash, signature }), owner)) return true
    } catch {
      // No key has made it; a contract may take it all the same.
    }
  }
  if (request === undefined) return false
  try {
    const data = encodeFunctionData({ abi, args: [hash, signature] })
    const answer = await request({ method: 'eth_call', params: [{ to: owner, data }, 'latest'] })
    return isHex(answer) && size(answer) >= 32 && slice(answer, 0, 4) === MAGIC
  } catch (error) {
    // An owner's own contract must not keep the others from their policy: an answer that the block contradicts is none.
    if (isRevert(error) || (error instanceof CountersignError && error.code === 'PROOF_INVALID')) return false
    // Without an answer it is unknown whether the policy is approved, or an entry withdrawn.
    throw error
  }
}
